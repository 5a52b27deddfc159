/**
 * Converts one source (a file in a hot folder) as an ordinary job, which is recorded, logged, counted and charged like a job of the
 * API.
 */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Account } from '../accounts/account.ts';
import { refuseIfFullOrPaused, type AdmissionDependencies } from '../conversion/admission.ts';
import { CallerDisconnected, reportFailure } from '../conversion/job-log.ts';
import {
  convertForm,
  type FormDependencies,
  type FinishedConversion,
  type ConversionRequest,
} from '../conversion/convert-form.ts';
import { Failure, toFailure } from '../failure/failure.ts';
import { fileErrorReason } from '../failure/out-of-resources.ts';
import { newJobId } from '../job/job.ts';
import type { DebugLog } from '../log/debug-log.ts';
import { withJobFields } from '../log/service-log.ts';
import type { EndedJob, Metrics } from '../metrics/metrics.ts';
import { ensureSubFolder, temporaryPrefix, writeDurably, signatureAt } from './folder-file.ts';
import { receiveSource, type SourceRequest } from './receive-source.ts';
import { renameWithRetry } from '../files/rename-with-retry.ts';

export interface SourceJob extends SourceRequest {
  readonly account: Account;
  /** The file name of the output. `settings` determine its folder. */
  readonly output: string;
  /** Whether to record a debug log even if the options do not request one. */
  readonly withDebugLog?: boolean;
}

export type SourceResult =
  | { readonly kind: 'converted' }
  /** The source was changed or removed during the conversion. */
  | { readonly kind: 'gone' }
  /**
   * The failure is temporary and not caused by the source. If `affectsAllSources` is true, no source can be converted at present.
   */
  | {
      readonly kind: 'later';
      readonly failure: Failure;
      readonly delayMs: number;
      readonly affectsAllSources: boolean;
    }
  | {
      readonly kind: 'failed';
      readonly failure: Failure;
      readonly job: string;
      readonly debugLog: string | undefined;
    };

export interface SourceDependencies extends FormDependencies, AdmissionDependencies {
  readonly metrics: Pick<Metrics, 'jobEnded'>;
}

/**
 * Converts a source. After a failure, tries once more with a debug log, and returns the second result. Recording a log takes a
 * third of a short job's time, so the first attempt records none. Never rejects.
 */
export async function convertSource(job: SourceJob, dependencies: SourceDependencies): Promise<SourceResult> {
  const result = await convertOnce(job, dependencies);
  if (result.kind !== 'failed' || result.debugLog !== undefined) return result;
  return await convertOnce({ ...job, withDebugLog: true }, dependencies);
}

async function convertOnce(job: SourceJob, dependencies: SourceDependencies): Promise<SourceResult> {
  const run: SourceRun = { ...job, id: newJobId(), startedAt: performance.now() };
  try {
    refuseIfFullOrPaused(job.account.name, dependencies);
  } catch (problem) {
    // The delay is short because the check is cheap and conversions should continue soon after a pause.
    return { kind: 'later', failure: toFailure(problem), delayMs: 1000, affectsAllSources: true };
  }
  try {
    const conversion = await convertForm(conversionRequest(run), dependencies);
    if (conversion === undefined) {
      countJob(run, dependencies, { outcome: 'caller_gone' });
      return { kind: 'gone' };
    }
    countJob(run, dependencies, { outcome: 'converted', credits: conversion.receipt.consumed });
    return { kind: 'converted' };
  } catch (problem) {
    return resultOf(run, problem, dependencies);
  }
}

interface SourceRun extends SourceJob {
  /** Id of the job. */
  readonly id: string;
  readonly startedAt: number;
  log?: DebugLog;
  tag?: string | undefined;
  /** Set if the output could not be written. */
  isOutputUnwritable?: true;
}

function conversionRequest(run: SourceRun): ConversionRequest<FinishedConversion> {
  return {
    id: run.id,
    account: run.account,
    recordsDebugLog: run.withDebugLog ?? false,
    callerDisconnected: new AbortController().signal,
    receive: (folder) => receiveSource(run, folder),
    onReceived({ log, tag }) {
      Object.assign(run, { log, tag });
    },
    deliver: (conversion) => writeOutput(run, conversion),
  };
}

/**
 * Writes the output under a temporary name and renames it, so that no incomplete output is visible. Charges the account after the
 * rename.
 */
async function writeOutput(run: SourceRun, conversion: FinishedConversion): Promise<FinishedConversion> {
  const { folder, settings, output, id } = run;
  try {
    const outputs = settings.output === '' ? folder : await ensureSubFolder(folder, settings.output);
    const temporary = join(outputs, `${temporaryPrefix}${id}.tmp`);
    try {
      await writeDurably(temporary, conversion.output.bytes, join(folder, run.source.name));
      await rejectChangedSource(run);
      await renameWithRetry(temporary, join(outputs, output));
    } finally {
      await rm(temporary, { force: true }).catch(() => {});
    }
  } catch (problem) {
    if (problem instanceof CallerDisconnected || problem instanceof Failure) throw problem;
    run.isOutputUnwritable = true;
    const reason = fileErrorReason(problem as NodeJS.ErrnoException);
    throw new Failure('unavailable', `The output ${output} cannot be written: ${reason}.`, {
      cause: problem,
    });
  }
  await conversion.entry.charge(conversion.log.durations, () => {});
  return conversion;
}

/**
 * Throws CallerDisconnected if the source has changed. A source with a newer output counts as converted, so the output of an earlier
 * version must not get the final name.
 */
async function rejectChangedSource({ folder, source, signature }: SourceRun): Promise<void> {
  if ((await signatureAt(join(folder, source.name))) === signature) return;
  throw new CallerDisconnected('The file was changed or removed while it was converted.');
}

/** Kinds of failures that the source does not cause. */
const transientKinds: readonly Failure['kind'][] = [
  'unavailable',
  'tooManyRequests',
  'unauthorized',
  'noCredits',
];

function resultOf(run: SourceRun, problem: unknown, dependencies: SourceDependencies): SourceResult {
  const { id: job, account, tag, log } = run;
  const failure = toFailure(problem);
  reportFailure(
    failure,
    withJobFields(dependencies.log, { job, account: account.name, tag }),
    (text) => log?.masked(text) ?? text,
  );
  countJob(run, dependencies, { outcome: 'failed', reason: failure.reason });
  if (!transientKinds.includes(failure.kind)) return { kind: 'failed', failure, job, debugLog: log?.id };
  // Without credits the delay is longer: credits come from an operator or the next day, and each attempt adds a job record.
  const { retryAfter = failure.kind === 'noCredits' ? 60 : 5 } = failure;
  const delayMs = Math.min(Math.max(retryAfter, 1), 60) * 1000;
  return { kind: 'later', failure, delayMs, affectsAllSources: run.isOutputUnwritable !== true };
}

type JobResult = Pick<EndedJob, 'outcome'> & Partial<Pick<EndedJob, 'reason' | 'credits'>>;

function countJob(run: SourceRun, { metrics }: SourceDependencies, ended: JobResult): void {
  metrics.jobEnded({
    account: run.account.name,
    durationMs: performance.now() - run.startedAt,
    stages: run.log?.durations ?? {},
    reason: 0,
    credits: 0,
    ...ended,
  });
}
