/**
 * Runs: conversions as the interface asks for them. Each is an ordinary job, reserved, recorded, logged and charged, with its
 * debug log always on; what it makes is kept for its account, and how it goes is told as it goes.
 */
import type { Account } from '../accounts/account.ts';
import { refuseBeforehand, type Doors } from '../conversion/admission.ts';
import { CallerGone } from '../conversion/caller-gone.ts';
import { convertForm, type ConversionParts, type Made, type Order } from '../conversion/convert-form.ts';
import type { Received } from '../conversion/received.ts';
import { reportFailure } from '../conversion/report-failure.ts';
import { toFailure } from '../failure/failure.ts';
import { newJobId } from '../job/job-id.ts';
import { outputName } from '../job/output-name.ts';
import type { DebugLog } from '../log/debug-log.ts';
import { cancelled } from '../log/findings/outcome.ts';
import { aboutJob } from '../log/service-log.ts';
import type { EndedJob, Metrics } from '../metrics/metrics.ts';
import type { Converted, RunEvent } from './contract.ts';
import type { Outputs } from './outputs.ts';
import { refusalOf } from './refusal.ts';

/** What a door brings. */
export interface RunOrder {
  readonly account: Account;
  /** Reads the form, its files into the folder; called once the job has begun. */
  readonly receive: (folder: string) => Promise<Received>;
  /** Aborts when it is cancelled, whatever the reason: its window is free at once then, and nothing is charged. */
  readonly signal: AbortSignal;
  /** Is told what the contract says; must not throw. */
  readonly on: (event: RunEvent) => void;
}

/** Resolves when the run is over. Never rejects: what goes wrong is an event. */
export type StartRun = (order: RunOrder) => Promise<void>;

export interface RunParts extends ConversionParts, Doors {
  readonly outputs: Outputs;
  readonly metrics: Pick<Metrics, 'jobEnded'>;
}

export function openRuns(parts: RunParts): StartRun {
  return async (order) => {
    const run: Running = { ...order, id: newJobId(), began: performance.now(), gone: goneBy(order.signal) };
    try {
      refuseBeforehand(run.account.name, parts);
      const converted = await convertForm(orderOf(run, parts), parts);
      if (converted === undefined) {
        count(run, parts, { outcome: 'caller_gone' });
        return;
      }
      count(run, parts, { outcome: 'converted', credits: converted.credits });
      run.on({ ...converted, took: tookOf(run) });
    } catch (problem) {
      fail(run, problem, parts);
    }
  };
}

interface Running extends RunOrder {
  /** The job's. */
  readonly id: string;
  readonly began: number;
  readonly gone: AbortSignal;
  begun?: true;
  log?: DebugLog;
  tag?: string | undefined;
}

/** Who hangs up and who cancels are one to the record. */
function goneBy(signal: AbortSignal): AbortSignal {
  const gone = new AbortController();
  // However it came: over HTTP a run is cancelled by hanging up.
  const cancel = () => {
    gone.abort(new CallerGone(cancelled));
  };
  if (signal.aborted) cancel();
  else signal.addEventListener('abort', cancel, { once: true });
  return gone.signal;
}

function orderOf(run: Running, parts: RunParts): Order<Converted> {
  const { id, account, gone } = run;
  return {
    ...{ id, account, gone, explained: true },
    receive(folder) {
      run.begun = true;
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

/** Kept first, so that what is charged is there. */
async function keep(run: Running, made: Made, outputs: Outputs): Promise<Converted> {
  const { output, job, log, receipt } = made;
  const [{ bytes, contentType: type }, name] = [output, outputName(job)];
  const id = await outputs.keep({ account: run.account.id, bytes, type, name });
  try {
    await charge(run, made);
  } catch (problem) {
    await outputs.remove(id);
    throw problem;
  }
  return {
    ...{ kind: 'converted', job: job.id, output: id, type, name, bytes: bytes.length },
    ...(output.pages && { pages: output.pages.printed, totalPages: output.pages.total }),
    ...{ credits: receipt.consumed, took: tookOf(run), stages: log.durations },
  };
}

/** @throws CallerGone when it was cancelled meanwhile; nothing is charged then */
async function charge({ gone }: Running, { entry, log }: Made): Promise<void> {
  gone.throwIfAborted();
  await entry.charge(log.durations, () => {});
  if (!gone.aborted) return;
  await entry.refund();
  gone.throwIfAborted();
}

/** A job is counted as those of the API are. */
function count(run: Running, { metrics }: RunParts, ended: Ended): void {
  metrics.jobEnded({
    ...{ account: run.account.name, took: tookOf(run), stages: run.log?.durations ?? {} },
    ...{ reason: 0, credits: 0, ...ended },
  });
}

type Ended = Pick<EndedJob, 'outcome'> & Partial<Pick<EndedJob, 'reason' | 'credits'>>;

function fail(run: Running, problem: unknown, parts: RunParts): void {
  const { id: job, account, tag, log } = run;
  const failure = toFailure(problem);
  const told = aboutJob(parts.log, { job, account: account.name, tag });
  reportFailure(failure, told, (text) => log?.masked(text) ?? text);
  count(run, parts, { outcome: 'failed', reason: failure.reason });
  if (run.gone.aborted) return;
  run.on({ kind: 'failed', ...refusalOf(failure), job: run.begun ? job : null, took: tookOf(run) });
}

/** Milliseconds. */
function tookOf({ began }: Running): number {
  return Math.round(performance.now() - began);
}
