/**
 * Runs: conversions that the user interface starts. A run is an ordinary job that always has a debug log, reports its progress as
 * events, and keeps its output for the account.
 */
import type { Account } from '../accounts/account.ts';
import { refuseIfFullOrPaused, type AdmissionDependencies } from '../conversion/admission.ts';
import { CallerDisconnected, reportJobFailure } from '../conversion/job-log.ts';
import {
  convertForm,
  type FormDependencies,
  type FinishedConversion,
  type FormConversionRequest,
} from '../conversion/convert-form.ts';
import { toFailure } from '../failure/failure.ts';
import { newJobId } from '../job/job.ts';
import { outputName } from '../job/output-name.ts';
import type { DebugLog } from '../log/debug-log.ts';
import { cancelledText } from '../log/findings/outcome.ts';
import type { EndedJob, Metrics } from '../metrics/metrics.ts';
import type { Converted, RunEvent } from './contract.ts';
import type { Outputs } from './outputs.ts';
import { refusalOf } from './calls.ts';

/** A run that a browser or the desktop window requests. */
interface RunRequest {
  readonly account: Account;
  /** Reads the form and stores its files in the folder. Called after the job has been recorded. */
  readonly receive: FormConversionRequest<never>['receive'];
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

/** Returns the function that executes runs. */
export function openRuns(dependencies: RunDependencies): StartRun {
  return (request) => new RunExecution(request, dependencies).execute();
}

class RunExecution {
  readonly #request: RunRequest;
  readonly #dependencies: RunDependencies;
  /** Id of the job. */
  readonly #id = newJobId();
  readonly #startedAt = performance.now();
  readonly #callerDisconnected: AbortSignal;
  /** The job has been recorded. */
  #isRecorded = false;
  #log: DebugLog | undefined;
  #tag: string | undefined;

  constructor(request: RunRequest, dependencies: RunDependencies) {
    this.#request = request;
    this.#dependencies = dependencies;
    this.#callerDisconnected = disconnectSignal(request.signal);
  }

  /** Resolves when the run has ended. Never rejects. */
  async execute(): Promise<void> {
    try {
      refuseIfFullOrPaused(this.#request.account.name, this.#dependencies);
      const converted = await convertForm(this.#conversionRequest(), this.#dependencies);
      if (converted === undefined) {
        this.#count({ outcome: 'caller_gone' });
        return;
      }
      this.#count({ outcome: 'converted', credits: converted.credits });
      this.#request.onEvent({ ...converted, took: this.#durationMs });
    } catch (problem) {
      this.#fail(problem);
    }
  }

  get #durationMs(): number {
    return Math.round(performance.now() - this.#startedAt);
  }

  #conversionRequest(): FormConversionRequest<Converted> {
    return {
      id: this.#id,
      account: this.#request.account,
      callerDisconnected: this.#callerDisconnected,
      recordsDebugLog: true,
      receive: (folder, maxBytes) => {
        this.#isRecorded = true;
        this.#request.onEvent({ kind: 'begun', job: this.#id });
        return this.#request.receive(folder, maxBytes);
      },
      onReceived: ({ log, tag }) => {
        this.#log = log;
        this.#tag = tag;
        log.onStageChange((stage) => {
          if (!this.#callerDisconnected.aborted) this.#request.onEvent({ kind: 'stage', stage });
        });
      },
      deliver: (conversion) => this.#storeOutput(conversion),
    };
  }

  /** Stores the output before charging the account, so that every charged output exists. */
  async #storeOutput(conversion: FinishedConversion): Promise<Converted> {
    const { output, job, log, receipt } = conversion;
    const { bytes, contentType: type } = output;
    const { outputs } = this.#dependencies;
    const name = outputName(job);
    const id = await outputs.store({ account: this.#request.account.id, bytes, type, name });
    try {
      await this.#charge(conversion);
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
      took: this.#durationMs,
      stages: log.durations,
    };
  }

  /** Charges the account. @throws CallerDisconnected if the run has been cancelled; the run is then not charged */
  async #charge({ entry, log }: FinishedConversion): Promise<void> {
    this.#callerDisconnected.throwIfAborted();
    await entry.charge(log.durations, () => {});
    if (!this.#callerDisconnected.aborted) return;
    await entry.refund();
    this.#callerDisconnected.throwIfAborted();
  }

  /** Counts the run in the metrics like a job of the API. */
  #count(ended: Pick<EndedJob, 'outcome' | 'reason' | 'credits'>): void {
    this.#dependencies.metrics.jobEnded({
      account: this.#request.account.name,
      durationMs: this.#durationMs,
      stages: this.#log?.durations ?? {},
      ...ended,
    });
  }

  /** Logs and counts the failure, and reports it unless the run was cancelled. */
  #fail(problem: unknown): void {
    const failure = toFailure(problem);
    reportJobFailure(failure, this.#dependencies.log, {
      id: this.#id,
      account: this.#request.account.name,
      tag: this.#tag,
      debugLog: this.#log,
    });
    this.#count({ outcome: 'failed', reason: failure.reason });
    if (this.#callerDisconnected.aborted) return;
    this.#request.onEvent({
      kind: 'failed',
      ...refusalOf(failure),
      job: this.#isRecorded ? this.#id : null,
      took: this.#durationMs,
    });
  }
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
