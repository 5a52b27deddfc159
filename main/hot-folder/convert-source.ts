/**
 * Converts one source as an ordinary job, which is reserved, recorded, logged, counted and charged like those of
 * API callers.
 */
import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Account } from '../accounts/account.ts';
import { refuseBeforehand, type Doors } from '../conversion/admission.ts';
import { CallerGone, reportFailure } from '../conversion/report-failure.ts';
import { convertForm, type ConversionParts, type Made, type Order } from '../conversion/convert-form.ts';
import { Failure, toFailure } from '../failure/failure.ts';
import { fileErrorReason } from '../failure/no-room.ts';
import { newJobId } from '../job/job.ts';
import type { DebugLog } from '../log/debug-log.ts';
import { aboutJob } from '../log/service-log.ts';
import type { EndedJob, Metrics } from '../metrics/metrics.ts';
import { ensureSubFolder, temporaryPrefix, writeDurably } from './folder-file.ts';
import { receiveSource, type SourceRequest } from './receive-source.ts';
import { signatureAt } from './signature.ts';

export interface SourceJob extends SourceRequest {
  readonly account: Account;
  /** File name of the output, in the output folder of the settings. */
  readonly output: string;
  /** Records a debug log even if the settings do not ask for one. */
  readonly withDebugLog?: boolean;
}

export type SourceResult =
  | { readonly kind: 'converted' }
  /** The source changed or was removed during the conversion. */
  | { readonly kind: 'gone' }
  /** The source is fine; try again later. `affectsAllSources`: nothing can be converted at present. */
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

export interface SourceDependencies extends ConversionParts, Doors {
  readonly metrics: Pick<Metrics, 'jobEnded'>;
}

/**
 * Converts a source; after a failure it tries once more with a debug log. Recording a log takes a third of a short
 * job's time, so successful jobs are spared it, and a failure by chance gets a second attempt. Never rejects.
 */
export async function convertSource(job: SourceJob, dependencies: SourceDependencies): Promise<SourceResult> {
  const result = await convertOnce(job, dependencies);
  if (result.kind !== 'failed' || result.debugLog !== undefined) return result;
  return await convertOnce({ ...job, withDebugLog: true }, dependencies);
}

async function convertOnce(job: SourceJob, dependencies: SourceDependencies): Promise<SourceResult> {
  const run: SourceRun = { ...job, id: newJobId(), startedAt: performance.now() };
  try {
    refuseBeforehand(job.account.name, dependencies);
  } catch (problem) {
    // A short delay, so that a resumed service starts soon; asking is cheap.
    return { kind: 'later', failure: toFailure(problem), delayMs: 1000, affectsAllSources: true };
  }
  try {
    const conversion = await convertForm(conversionOrder(run), dependencies);
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
  /** The output could not be written. */
  isOutputUnwritable?: true;
}

function conversionOrder(run: SourceRun): Order<Made> {
  return {
    id: run.id,
    account: run.account,
    explained: run.withDebugLog ?? false,
    gone: new AbortController().signal,
    receive: (folder) => receiveSource(run, folder),
    announce({ log, tag }) {
      Object.assign(run, { log, tag });
    },
    deliver: (made) => writeOutput(run, made),
  };
}

/**
 * Writes the output under a temporary name and renames it, so it is never seen incomplete. Charges after the
 * rename.
 */
async function writeOutput(run: SourceRun, conversion: Made): Promise<Made> {
  const { folder, settings, output, id } = run;
  try {
    const outputs = settings.output === '' ? folder : await ensureSubFolder(folder, settings.output);
    const temporary = join(outputs, `${temporaryPrefix}${id}.tmp`);
    try {
      await writeDurably(temporary, conversion.output.bytes, join(folder, run.source.name));
      await rejectChangedSource(run);
      await rename(temporary, join(outputs, output));
    } finally {
      await rm(temporary, { force: true }).catch(() => {});
    }
  } catch (problem) {
    if (problem instanceof CallerGone || problem instanceof Failure) throw problem;
    run.isOutputUnwritable = true;
    const why = fileErrorReason(problem as NodeJS.ErrnoException);
    throw new Failure('unavailable', `The output ${output} cannot be written: ${why}.`, { cause: problem });
  }
  await conversion.entry.charge(conversion.log.durations, () => {});
  return conversion;
}

/**
 * Throws if the source has changed. An output newer than its source counts as converted, so it must not come from
 * an earlier version.
 */
async function rejectChangedSource({ folder, source, signature }: SourceRun): Promise<void> {
  if ((await signatureAt(join(folder, source.name))) === signature) return;
  throw new CallerGone('The file was changed or removed while it was converted.');
}

/** Failures that are not caused by the source. */
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
    aboutJob(dependencies.log, { job, account: account.name, tag }),
    (text) => log?.masked(text) ?? text,
  );
  countJob(run, dependencies, { outcome: 'failed', reason: failure.reason });
  if (!transientKinds.includes(failure.kind)) return { kind: 'failed', failure, job, debugLog: log?.id };
  // Credits are added by an operator or the next day, so retry less often; each attempt appears in the record.
  const { retryAfter = failure.kind === 'noCredits' ? 60 : 5 } = failure;
  const delayMs = Math.min(Math.max(retryAfter, 1), 60) * 1000;
  return { kind: 'later', failure: failure, delayMs, affectsAllSources: run.isOutputUnwritable !== true };
}

type Counted = Pick<EndedJob, 'outcome'> & Partial<Pick<EndedJob, 'reason' | 'credits'>>;

function countJob(run: SourceRun, { metrics }: SourceDependencies, ended: Counted): void {
  metrics.jobEnded({
    account: run.account.name,
    took: performance.now() - run.startedAt,
    stages: run.log?.durations ?? {},
    reason: 0,
    credits: 0,
    ...ended,
  });
}
