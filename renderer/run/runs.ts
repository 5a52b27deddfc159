/**
 * The runs of this console session: starts and cancels them, tracks their progress, and keeps them for the history and comparisons.
 */
import { signal } from '@preact/signals';
import type { Converted, Failed } from '../../main/console/contract.ts';
import { ServiceError, type Bridge, type RunForm } from '../bridge/bridge.ts';
import { messageOf } from '../../main/failure/failure.ts';

export interface ConsoleRun {
  /** Sequence number in this session, from 1. */
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
  /** `job`: the id, if a job had started. */
  | { readonly kind: 'cancelled'; readonly job?: string };

/** Newest first. */
export const runs = signal<readonly ConsoleRun[]>([]);

/** The number of the selected run, whose result is shown. */
export const shownRun = signal<number | undefined>(undefined);

interface RunInput {
  readonly form: RunForm;
  readonly title: string;
}

/** As many as the outputs that the service keeps for an account (main/console/outputs.ts). */
const maxRuns = 40;

const controllers = new Map<number, AbortController>();
let lastNumber = 0;

/** Starts a run and selects it. Resolves when the run has ended. Errors are recorded in the run. */
export async function startRun(bridge: Bridge, { form, title }: RunInput): Promise<void> {
  lastNumber += 1;
  const number = lastNumber;
  const controller = new AbortController();
  controllers.set(number, controller);
  const run: ConsoleRun = { number, form, title, began: Date.now(), state: { kind: 'running', stages: [] } };
  runs.value = [run, ...runs.value].slice(0, maxRuns);
  shownRun.value = number;
  try {
    const onEvent = (event: BridgeRunEvent) => {
      applyEvent(bridge, number, event);
    };
    await bridge.run(form, onEvent, controller.signal);
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

export function runByNumber(number: number | undefined): ConsoleRun | undefined {
  return runs.value.find((run) => run.number === number);
}

type BridgeRunEvent = Parameters<Parameters<Bridge['run']>[1]>[0];

function applyEvent(bridge: Bridge, number: number, event: BridgeRunEvent): void {
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
      update(number, { kind: 'converted', outcome: event, blob: cached(() => bridge.output(event.output)) });
      break;
    case 'failed':
      update(number, { kind: 'failed', outcome: event });
      break;
  }
}

function stateOf(number: number): RunState | undefined {
  return runByNumber(number)?.state;
}

function update(number: number, state: RunState): void {
  runs.value = runs.value.map((run) => (run.number === number ? { ...run, state } : run));
}

function cancelled(number: number): RunState {
  const before = stateOf(number);
  return { kind: 'cancelled', ...(before?.kind === 'running' && before.job && { job: before.job }) };
}

function failed(number: number, problem: unknown): RunState {
  const { status, reason } = problem instanceof ServiceError ? problem : { status: 0, reason: 0 };
  const message = messageOf(problem);
  const took = Date.now() - (runByNumber(number)?.began ?? 0);
  return { kind: 'failed', outcome: { kind: 'failed', job: null, status, reason, message, took } };
}

/** Returns a function that calls `make` once and keeps the result. After a rejection, the next call tries again. */
function cached<T>(make: () => Promise<T>): () => Promise<T> {
  let result: Promise<T> | undefined;
  return () => {
    result ??= make().catch((problem: unknown) => {
      result = undefined;
      throw problem;
    });
    return result;
  };
}
