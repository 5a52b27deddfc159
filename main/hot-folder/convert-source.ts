/** One source -> its output, by an ordinary job: reserved, recorded, logged, counted and charged as those of callers are. */
import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Account } from '../accounts/account.ts';
import { refuseBeforehand, type Doors } from '../conversion/admission.ts';
import { CallerGone } from '../conversion/caller-gone.ts';
import { convertForm, type ConversionParts, type Made, type Order } from '../conversion/convert-form.ts';
import { reportFailure } from '../conversion/report-failure.ts';
import { Failure, toFailure } from '../failure/failure.ts';
import { whyUnusable } from '../failure/no-room.ts';
import { newJobId } from '../job/job-id.ts';
import type { DebugLog } from '../log/debug-log.ts';
import { aboutJob } from '../log/service-log.ts';
import type { EndedJob, Metrics } from '../metrics/metrics.ts';
import { subFolder, temporaryPrefix, writeThrough } from './folder-file.ts';
import { receiveSource, type Wanted } from './receive-source.ts';
import { signatureAt } from './signature.ts';

export interface SourceOrder extends Wanted {
  readonly account: Account;
  /** The output's name in the folder the settings say. */
  readonly output: string;
  /** Records the debug log, asked for or not. */
  readonly explained?: boolean;
}

export type Ending =
  | { readonly kind: 'converted' }
  /** It was changed or removed meanwhile. */
  | { readonly kind: 'gone' }
  /** Nothing is wrong with it; `wait` milliseconds. `everybody`: nothing can be converted just now. */
  | {
      readonly kind: 'later';
      readonly why: Failure;
      readonly wait: number;
      readonly everybody: boolean;
    }
  | {
      readonly kind: 'failed';
      readonly failure: Failure;
      readonly job: string;
      readonly debugLog: string | undefined;
    };

export interface SourceParts extends ConversionParts, Doors {
  readonly metrics: Pick<Metrics, 'jobEnded'>;
}

/**
 * A source that fails is tried once more, with a debug log: recording one takes a third of a short job's time, which those that
 * succeed are spared, and what failed by chance has its second chance. Never rejects.
 */
export async function convertSource(order: SourceOrder, parts: SourceParts): Promise<Ending> {
  const ending = await convertOnce(order, parts);
  if (ending.kind !== 'failed' || ending.debugLog !== undefined) return ending;
  return await convertOnce({ ...order, explained: true }, parts);
}

async function convertOnce(order: SourceOrder, parts: SourceParts): Promise<Ending> {
  const run: Running = { ...order, id: newJobId(), began: performance.now() };
  try {
    refuseBeforehand(order.account.name, parts);
  } catch (problem) {
    // It is looked again and again, so that a resumed service begins soon; asking costs nothing.
    return { kind: 'later', why: toFailure(problem), wait: 1000, everybody: true };
  }
  try {
    const made = await convertForm(orderOf(run), parts);
    if (made === undefined) {
      count(run, parts, { outcome: 'caller_gone' });
      return { kind: 'gone' };
    }
    count(run, parts, { outcome: 'converted', credits: made.receipt.consumed });
    return { kind: 'converted' };
  } catch (problem) {
    return endingOf(run, problem, parts);
  }
}

interface Running extends SourceOrder {
  /** The job's. */
  readonly id: string;
  readonly began: number;
  log?: DebugLog;
  tag?: string | undefined;
  /** The output could not be put in its place. */
  unplaced?: true;
}

function orderOf(run: Running): Order<Made> {
  return {
    ...{ id: run.id, account: run.account, explained: run.explained ?? false },
    gone: new AbortController().signal,
    receive: (folder) => receiveSource(run, folder),
    announce({ log, tag }) {
      Object.assign(run, { log, tag });
    },
    deliver: (made) => place(run, made),
  };
}

/** Under another name first, so that nobody finds half of it; charged when it is there. */
async function place(run: Running, made: Made): Promise<Made> {
  const { folder, settings, output, id } = run;
  try {
    const outputs = settings.output === '' ? folder : await subFolder(folder, settings.output);
    const temporary = join(outputs, `${temporaryPrefix}${id}.tmp`);
    try {
      await writeThrough(temporary, made.output.bytes, join(folder, run.source.name));
      await refuseOlder(run);
      await rename(temporary, join(outputs, output));
    } finally {
      await rm(temporary, { force: true }).catch(() => {});
    }
  } catch (problem) {
    if (problem instanceof CallerGone || problem instanceof Failure) throw problem;
    run.unplaced = true;
    const why = whyUnusable(problem as NodeJS.ErrnoException);
    throw new Failure('unavailable', `The output ${output} cannot be written: ${why}.`, { cause: problem });
  }
  await made.entry.charge(made.log.durations, () => {});
  return made;
}

/** An output newer than its source counts as that source's, so it must not be one of an earlier version. */
async function refuseOlder({ folder, source, signature }: Running): Promise<void> {
  if ((await signatureAt(join(folder, source.name))) === signature) return;
  throw new CallerGone('The file was changed or removed while it was converted.');
}

/** Those that say nothing of the source. */
const passing: readonly Failure['kind'][] = ['unavailable', 'tooManyRequests', 'unauthorized', 'noCredits'];

function endingOf(run: Running, problem: unknown, parts: SourceParts): Ending {
  const { id: job, account, tag, log } = run;
  const failure = toFailure(problem);
  reportFailure(
    failure,
    aboutJob(parts.log, { job, account: account.name, tag }),
    (text) => log?.masked(text) ?? text,
  );
  count(run, parts, { outcome: 'failed', reason: failure.reason });
  if (!passing.includes(failure.kind)) return { kind: 'failed', failure, job, debugLog: log?.id };
  // Credits come from a person, or with the next day; each try stands in the record.
  const { retryAfter = failure.kind === 'noCredits' ? 60 : 5 } = failure;
  const wait = Math.min(Math.max(retryAfter, 1), 60) * 1000;
  return { kind: 'later', why: failure, wait, everybody: run.unplaced !== true };
}

type Counted = Pick<EndedJob, 'outcome'> & Partial<Pick<EndedJob, 'reason' | 'credits'>>;

function count(run: Running, { metrics }: SourceParts, ended: Counted): void {
  metrics.jobEnded({
    ...{ account: run.account.name, took: performance.now() - run.began, stages: run.log?.durations ?? {} },
    ...{ reason: 0, credits: 0, ...ended },
  });
}
