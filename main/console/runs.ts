/**
 * Runs: conversions that the user interface starts. A run is an ordinary job that always has a debug log, reports its progress as
 * events, and keeps its output for the account.
 */
import type { Account } from '../accounts/account.ts';
import {
  refuseIfFullOrPaused,
  type AdmissionDependencies,
  type ReceivedForm,
} from '../conversion/admission.ts';
import { CallerDisconnected, reportFailure } from '../conversion/job-log.ts';
import {
  convertForm,
  type FormDependencies,
  type FinishedConversion,
  type ConversionRequest,
} from '../conversion/convert-form.ts';
import { toFailure } from '../failure/failure.ts';
import { newJobId } from '../job/job.ts';
import { outputName } from '../job/output-name.ts';
import type { DebugLog } from '../log/debug-log.ts';
import { cancelledText } from '../log/findings/outcome.ts';
import { withJobFields } from '../log/service-log.ts';
import type { EndedJob, Metrics } from '../metrics/metrics.ts';
import type { Converted, RunEvent } from './contract.ts';
import type { Outputs } from './outputs.ts';
import { refusalOf } from './calls.ts';

/** A run that a browser or the desktop window requests. */
interface RunRequest {
  readonly account: Account;
  /** Reads the form and stores its files in the folder. Called after the job has been recorded. */
  readonly receive: (folder: string) => Promise<ReceivedForm>;
  /** Aborts when the run is cancelled. The run then releases its window immediately and is not charged. */
  readonly signal: AbortSignal;
  /** Receives the events of the run. Must not throw. */
  readonly onEvent: (event: RunEvent) => void;
}

/** Executes a run. Resolves when the run has ended. Never rejects: a failure is reported as an event. */
export type StartRun = (request: RunRequest) => Promise<void>;

export interface RunDependencies extends FormDependencies, AdmissionDependencies {
  readonly outputs: Outputs;
  readonly metrics: Pick<Metrics, 'jobEnded'>;
}

export function openRuns(dependencies: RunDependencies): StartRun {
  return async (request) => {
    const run: ActiveRun = {
      ...request,
      id: newJobId(),
      startedAt: performance.now(),
      callerDisconnected: disconnectSignal(request.signal),
    };
    try {
      refuseIfFullOrPaused(run.account.name, dependencies);
      const converted = await convertForm(conversionRequest(run, dependencies), dependencies);
      if (converted === undefined) {
        count(run, dependencies, { outcome: 'caller_gone' });
        return;
      }
      count(run, dependencies, { outcome: 'converted', credits: converted.credits });
      run.onEvent({ ...converted, took: durationMs(run) });
    } catch (problem) {
      fail(run, problem, dependencies);
    }
  };
}

interface ActiveRun extends RunRequest {
  /** Id of the job. */
  readonly id: string;
  readonly startedAt: number;
  readonly callerDisconnected: AbortSignal;
  isRecorded?: true;
  log?: DebugLog;
  tag?: string | undefined;
}

/**
 * Returns a signal that aborts with CallerDisconnected. The job record does not distinguish a cancelled run from a caller that
 * disconnected.
 */
function disconnectSignal(signal: AbortSignal): AbortSignal {
  const gone = new AbortController();
  // Over HTTP, a run is cancelled by disconnecting.
  const cancel = () => {
    gone.abort(new CallerDisconnected(cancelledText));
  };
  if (signal.aborted) cancel();
  else signal.addEventListener('abort', cancel, { once: true });
  return gone.signal;
}

function conversionRequest(run: ActiveRun, dependencies: RunDependencies): ConversionRequest<Converted> {
  const { id, account, callerDisconnected } = run;
  return {
    id,
    account,
    callerDisconnected,
    recordsDebugLog: true,
    receive(folder) {
      run.isRecorded = true;
      run.onEvent({ kind: 'begun', job: id });
      return run.receive(folder);
    },
    onReceived({ log, tag }) {
      Object.assign(run, { log, tag });
      log.onStageChange((stage) => {
        if (!callerDisconnected.aborted) run.onEvent({ kind: 'stage', stage });
      });
    },
    deliver: (conversion) => storeOutput(run, conversion, dependencies.outputs),
  };
}

/** Stores the output before charging the account, so that every charged output exists. */
async function storeOutput(
  run: ActiveRun,
  conversion: FinishedConversion,
  outputs: Outputs,
): Promise<Converted> {
  const { output, job, log, receipt } = conversion;
  const { bytes, contentType: type } = output;
  const name = outputName(job);
  const id = await outputs.store({ account: run.account.id, bytes, type, name });
  try {
    await charge(run, conversion);
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

/** Charges the account. @throws CallerDisconnected if the run has been cancelled; the run is then not charged */
async function charge({ callerDisconnected }: ActiveRun, { entry, log }: FinishedConversion): Promise<void> {
  callerDisconnected.throwIfAborted();
  await entry.charge(log.durations, () => {});
  if (!callerDisconnected.aborted) return;
  await entry.refund();
  callerDisconnected.throwIfAborted();
}

/** Counts the run in the metrics like a job of the API. */
function count(run: ActiveRun, { metrics }: RunDependencies, ended: RunResult): void {
  metrics.jobEnded({
    account: run.account.name,
    durationMs: durationMs(run),
    stages: run.log?.durations ?? {},
    reason: 0,
    credits: 0,
    ...ended,
  });
}

type RunResult = Pick<EndedJob, 'outcome'> & Partial<Pick<EndedJob, 'reason' | 'credits'>>;

function fail(run: ActiveRun, problem: unknown, dependencies: RunDependencies): void {
  const { id: job, account, tag, log } = run;
  const failure = toFailure(problem);
  const jobLog = withJobFields(dependencies.log, { job, account: account.name, tag });
  reportFailure(failure, jobLog, (text) => log?.masked(text) ?? text);
  count(run, dependencies, { outcome: 'failed', reason: failure.reason });
  if (run.callerDisconnected.aborted) return;
  run.onEvent({
    kind: 'failed',
    ...refusalOf(failure),
    job: run.isRecorded ? job : null,
    took: durationMs(run),
  });
}

function durationMs({ startedAt }: ActiveRun): number {
  return Math.round(performance.now() - startedAt);
}
