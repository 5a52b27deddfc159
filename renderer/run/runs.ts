/** The runs of this window: starts and cancels them, tracks their progress, and keeps them for the history and comparisons. */
import { signal } from '@preact/signals';
import type { Converted, Failed } from '../../main/console/contract.ts';
import { Refused, type Bridge, type RunForm } from '../bridge/bridge.ts';

export interface Run {
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
      readonly is: 'running';
      readonly job?: string;
      readonly stage?: string;
      readonly stages: readonly string[];
    }
  | { readonly is: 'converted'; readonly outcome: Converted; readonly blob: () => Promise<Blob> }
  | { readonly is: 'failed'; readonly outcome: Failed }
  /** The job id, if a job had started. */
  | { readonly is: 'cancelled'; readonly job?: string };

/** Newest first. */
export const runs = signal<readonly Run[]>([]);

/** Number of the run shown. */
export const shown = signal<number | undefined>(undefined);

export interface RunRequest {
  readonly form: RunForm;
  readonly title: string;
}

/** The service keeps as many outputs. */
const most = 40;

const controllers = new Map<number, AbortController>();
let last = 0;

/** Starts a run and shows it. Resolves when it has ended; errors are recorded in the run. */
export async function startRun(bridge: Bridge, { form, title }: RunRequest): Promise<void> {
  last += 1;
  const number = last;
  const controller = new AbortController();
  controllers.set(number, controller);
  const run: Run = { number, form, title, began: Date.now(), state: { is: 'running', stages: [] } };
  runs.value = [run, ...runs.value].slice(0, most);
  shown.value = number;
  try {
    const on = (event: Event) => {
      follow(bridge, number, event);
    };
    await bridge.run(form, on, controller.signal);
    if (stateOf(number)?.is === 'running') update(number, cancelled(number));
  } catch (problem) {
    update(number, controller.signal.aborted ? cancelled(number) : failed(number, problem));
  } finally {
    controllers.delete(number);
  }
}

export function cancelRun(number: number): void {
  controllers.get(number)?.abort();
}

export function runOf(number: number | undefined): Run | undefined {
  return runs.value.find((run) => run.number === number);
}

type Event = Parameters<Parameters<Bridge['run']>[1]>[0];

function follow(bridge: Bridge, number: number, event: Event): void {
  const before = stateOf(number);
  if (before?.is !== 'running') return;
  switch (event.kind) {
    case 'begun':
      update(number, { ...before, job: event.job });
      break;
    case 'stage':
      update(number, { ...before, stage: event.stage, stages: [...before.stages, event.stage] });
      break;
    case 'converted':
      update(number, { is: 'converted', outcome: event, blob: once(() => bridge.output(event.output)) });
      break;
    case 'failed':
      update(number, { is: 'failed', outcome: event });
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
  return { is: 'cancelled', ...(before?.is === 'running' && before.job && { job: before.job }) };
}

function failed(number: number, problem: unknown): RunState {
  const { status, reason } = problem instanceof Refused ? problem : { status: 0, reason: 0 };
  const message = problem instanceof Error ? problem.message : String(problem);
  const took = Date.now() - (runOf(number)?.began ?? 0);
  return { is: 'failed', outcome: { kind: 'failed', job: null, status, reason, message, took } };
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
