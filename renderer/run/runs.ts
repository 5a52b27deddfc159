/** The runs of this window: starts and cancels them, tracks their progress, and keeps them for the history and comparisons. */
import { signal } from '@preact/signals';
import type { Converted, Failed } from '../../main/console/contract.ts';
import { Refused, type Bridge, type RunForm } from '../bridge/bridge.ts';

export interface ConsoleRun {
  /** Sequence number in this window, from 1. */
  readonly number: number;
  readonly form: RunForm;
  /** A short description of the input. */
  readonly title: string;
  readonly began: number;
  readonly state: RunState;
}

export type RunState =
  | {
      readonly kind: 'running';
      readonly job?: string;
      readonly stage?: string;
      readonly stages: readonly string[];
    }
  | { readonly kind: 'converted'; readonly outcome: Converted; readonly blob: () => Promise<Blob> }
  | { readonly kind: 'failed'; readonly outcome: Failed }
  /** The job id, if a job had started. */
  | { readonly kind: 'cancelled'; readonly job?: string };

/** Newest first. */
export const runs = signal<readonly ConsoleRun[]>([]);

/** Number of the run shown. */
export const shown = signal<number | undefined>(undefined);

export interface RunInput {
  readonly form: RunForm;
  readonly title: string;
}

/** The service keeps as many outputs. */
const maxRuns = 40;

const controllers = new Map<number, AbortController>();
let last = 0;

/** Starts a run and shows it. Resolves when it has ended; errors are recorded in the run. */
export async function startRun(bridge: Bridge, { form, title }: RunInput): Promise<void> {
  last += 1;
  const number = last;
  const controller = new AbortController();
  controllers.set(number, controller);
  const run: ConsoleRun = { number, form, title, began: Date.now(), state: { kind: 'running', stages: [] } };
  runs.value = [run, ...runs.value].slice(0, maxRuns);
  shown.value = number;
  try {
    const on = (event: FollowedEvent) => {
      follow(bridge, number, event);
    };
    await bridge.run(form, on, controller.signal);
    if (stateOf(number)?.kind === 'running') update(number, cancelled(number));
  } catch (problem) {
    update(number, controller.signal.aborted ? cancelled(number) : failed(number, problem));
  } finally {
    controllers.delete(number);
  }
}

export function cancelRun(number: number): void {
  controllers.get(number)?.abort();
}

export function runOf(number: number | undefined): ConsoleRun | undefined {
  return runs.value.find((run) => run.number === number);
}

type FollowedEvent = Parameters<Parameters<Bridge['run']>[1]>[0];

function follow(bridge: Bridge, number: number, event: FollowedEvent): void {
  const before = stateOf(number);
  if (before?.kind !== 'running') return;
  switch (event.kind) {
    case 'begun':
      update(number, { ...before, job: event.job });
      break;
    case 'stage':
      update(number, { ...before, stage: event.stage, stages: [...before.stages, event.stage] });
      break;
    case 'converted':
      update(number, { kind: 'converted', outcome: event, blob: once(() => bridge.output(event.output)) });
      break;
    case 'failed':
      update(number, { kind: 'failed', outcome: event });
      break;
  }
}

function stateOf(number: number): RunState | undefined {
  return runOf(number)?.state;
}

function update(number: number, state: RunState): void {
  runs.value = runs.value.map((run) => (run.number === number ? { ...run, state } : run));
}

function cancelled(number: number): RunState {
  const before = stateOf(number);
  return { kind: 'cancelled', ...(before?.kind === 'running' && before.job && { job: before.job }) };
}

function failed(number: number, problem: unknown): RunState {
  const { status, reason } = problem instanceof Refused ? problem : { status: 0, reason: 0 };
  const message = problem instanceof Error ? problem.message : String(problem);
  const took = Date.now() - (runOf(number)?.began ?? 0);
  return { kind: 'failed', outcome: { kind: 'failed', job: null, status, reason, message, took } };
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make().catch((problem: unknown) => {
      made = undefined;
      throw problem;
    });
    return made;
  };
}
