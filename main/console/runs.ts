/**
 * Runs: conversions that the user interface starts. A run is an ordinary job that always has a debug log, reports its progress as
 * events, and keeps its output for the account.
 */
import type { Account } from '../accounts/account.ts';
import { refuseBeforehand, type Doors, type Received } from '../conversion/admission.ts';
import { CallerGone, reportFailure } from '../conversion/report-failure.ts';
import { convertForm, type ConversionParts, type Made, type Order } from '../conversion/convert-form.ts';
import { toFailure } from '../failure/failure.ts';
import { newJobId } from '../job/job.ts';
import { outputName } from '../job/output-name.ts';
import type { DebugLog } from '../log/debug-log.ts';
import { cancelledText } from '../log/findings/outcome.ts';
import { aboutJob } from '../log/service-log.ts';
import type { EndedJob, Metrics } from '../metrics/metrics.ts';
import type { Converted, RunEvent } from './contract.ts';
import type { Outputs } from './outputs.ts';
import { refusalOf } from './calls.ts';

/** A run that a browser or the desktop window asks for. */
interface RunOrder {
  readonly account: Account;
  /** Reads the form and stores its files in the folder. Called when the job is recorded. */
  readonly receive: (folder: string) => Promise<Received>;
  /** Aborts when the run is cancelled. The window is then released immediately, and nothing is charged. */
  readonly signal: AbortSignal;
  /** Receives the events of the run. Must not throw. */
  readonly on: (event: RunEvent) => void;
}

/** Resolves when the run is over. Never rejects: a failure is an event. */
export type StartRun = (order: RunOrder) => Promise<void>;

export interface RunParts extends ConversionParts, Doors {
  readonly outputs: Outputs;
  readonly metrics: Pick<Metrics, 'jobEnded'>;
}

export function openRuns(parts: RunParts): StartRun {
  return async (order) => {
    const run: Running = {
      ...order,
      id: newJobId(),
      startedAt: performance.now(),
      gone: callerGoneSignal(order.signal),
    };
    try {
      refuseBeforehand(run.account.name, parts);
      const converted = await convertForm(orderOf(run, parts), parts);
      if (converted === undefined) {
        count(run, parts, { outcome: 'caller_gone' });
        return;
      }
      count(run, parts, { outcome: 'converted', credits: converted.credits });
      run.on({ ...converted, took: durationMs(run) });
    } catch (problem) {
      fail(run, problem, parts);
    }
  };
}

interface Running extends RunOrder {
  /** Id of the job. */
  readonly id: string;
  readonly startedAt: number;
  readonly gone: AbortSignal;
  isRecorded?: true;
  log?: DebugLog;
  tag?: string | undefined;
}

/** The record does not distinguish between a cancelled run and a caller that hung up. */
function callerGoneSignal(signal: AbortSignal): AbortSignal {
  const gone = new AbortController();
  // Over HTTP, hanging up is the way to cancel a run.
  const cancel = () => {
    gone.abort(new CallerGone(cancelledText));
  };
  if (signal.aborted) cancel();
  else signal.addEventListener('abort', cancel, { once: true });
  return gone.signal;
}

function orderOf(run: Running, parts: RunParts): Order<Converted> {
  const { id, account, gone } = run;
  return {
    id,
    account,
    gone,
    explained: true,
    receive(folder) {
      run.isRecorded = true;
      run.on({ kind: 'begun', job: id });
      return run.receive(folder);
    },
    announce({ log, tag }) {
      Object.assign(run, { log, tag });
      log.watch((stage) => {
        if (!gone.aborted) run.on({ kind: 'stage', stage });
      });
    },
    deliver: (made) => keep(run, made, parts.outputs),
  };
}

/** Stores the output before it is charged, so that every charged output exists. */
async function keep(run: Running, made: Made, outputs: Outputs): Promise<Converted> {
  const { output, job, log, receipt } = made;
  const { bytes, contentType: type } = output;
  const name = outputName(job);
  const id = await outputs.keep({ account: run.account.id, bytes, type, name });
  try {
    await charge(run, made);
  } catch (problem) {
    await outputs.remove(id);
    throw problem;
  }
  return {
    kind: 'converted',
    job: job.id,
    output: id,
    type,
    name,
    bytes: bytes.length,
    ...(output.pages && { pages: output.pages.printed, totalPages: output.pages.total }),
    credits: receipt.consumed,
    took: durationMs(run),
    stages: log.durations,
  };
}

/** @throws CallerGone when the run has been cancelled; nothing is charged then */
async function charge({ gone }: Running, { entry, log }: Made): Promise<void> {
  gone.throwIfAborted();
  await entry.charge(log.durations, () => {});
  if (!gone.aborted) return;
  await entry.refund();
  gone.throwIfAborted();
}

/** Counts the run in the metrics like a job of the API. */
function count(run: Running, { metrics }: RunParts, ended: Ended): void {
  metrics.jobEnded({
    account: run.account.name,
    took: durationMs(run),
    stages: run.log?.durations ?? {},
    reason: 0,
    credits: 0,
    ...ended,
  });
}

type Ended = Pick<EndedJob, 'outcome'> & Partial<Pick<EndedJob, 'reason' | 'credits'>>;

function fail(run: Running, problem: unknown, parts: RunParts): void {
  const { id: job, account, tag, log } = run;
  const failure = toFailure(problem);
  const jobLog = aboutJob(parts.log, { job, account: account.name, tag });
  reportFailure(failure, jobLog, (text) => log?.masked(text) ?? text);
  count(run, parts, { outcome: 'failed', reason: failure.reason });
  if (run.gone.aborted) return;
  run.on({ kind: 'failed', ...refusalOf(failure), job: run.isRecorded ? job : null, took: durationMs(run) });
}

function durationMs({ startedAt }: Running): number {
  return Math.round(performance.now() - startedAt);
}
