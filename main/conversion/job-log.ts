/** What is told of a job in the record, in the service's log and in its own. */
import type { Ending, JobEntry } from '../accounts/job-entry.ts';
import type { Conversion } from '../convert.ts';
import { toFailure } from '../failure/failure.ts';
import type { Job } from '../job/job.ts';
import { DebugLog } from '../log/debug-log.ts';
import type { Versions } from '../log/events.ts';
import { counted } from '../log/findings/phrases.ts';
import { aboutJob, type ServiceLog } from '../log/service-log.ts';
import { CallerGone } from './caller-gone.ts';
import type { ClosingLogs } from './closing-logs.ts';
import { shownOptions } from './shown-options.ts';

interface Told {
  readonly id: string;
  readonly account: string;
  readonly tag: string | undefined;
  /** The job's own log. */
  readonly own: DebugLog;
  readonly log: ServiceLog;
  readonly closing: Pick<ClosingLogs, 'end'>;
}

/** What the work made, and what its delivery gave. */
interface Done<T> {
  readonly conversion: Conversion;
  readonly delivered: T;
}

/** Writes into both logs how the work ended; returns what the delivery gave, and throws what the work throws. */
export async function logged<T>(
  { id, account, tag, own, log, closing }: Told,
  work: () => Promise<Done<T>>,
): Promise<T> {
  const began = performance.now();
  const told = aboutJob(log, { job: id, account, tag });
  told.debug('received');
  try {
    const { conversion, delivered } = await work();
    await endAsConverted(own, conversion);
    const ms = Math.round(performance.now() - began);
    told.info({ ...facts(conversion), ms, stages: own.durations }, 'converted');
    return delivered;
  } catch (problem) {
    if (problem instanceof CallerGone)
      told.info({ stage: own.stage, why: problem.message }, 'the caller hung up');
    await endAsFailed(own, problem);
    throw problem;
  } finally {
    closing.end(own.id);
  }
}

async function endAsConverted(own: DebugLog, { output }: Conversion): Promise<void> {
  const pages = output.pages && { pages: output.pages.printed };
  await own.end('converted', { outcome: 'converted', bytes: output.bytes.length, ...pages });
}

async function endAsFailed(own: DebugLog, problem: unknown): Promise<void> {
  const gone = problem instanceof CallerGone;
  const { message, status, reason } = toFailure(problem);
  own.write({
    kind: 'failure',
    text: gone ? problem.message : message,
    detail: { ...(!gone && { status, reason }), stage: own.stage },
  });
  await own.end('failed', { outcome: gone ? 'caller gone' : 'failed' });
}

/**
 * Enters a failure of the work into the record as the caller is told it; one who has gone is told nothing, and gets undefined.
 * `work` tells the job's own log as soon as there is one.
 */
export async function recorded<T>(
  entry: Pick<JobEntry, 'fail'>,
  work: (tell: (own: DebugLog) => void) => Promise<T>,
): Promise<T | undefined> {
  let own: DebugLog | undefined;
  try {
    return await work((log) => (own = log));
  } catch (problem) {
    await entry.fail(endingOf(problem, own));
    if (!(problem instanceof CallerGone)) throw problem;
    return undefined;
  }
}

/** `own`: absent for a job that did not come as far as to have one. */
function endingOf(problem: unknown, own = new DebugLog()): Ending {
  const { message, status, reason } = toFailure(problem);
  const stages = own.durations;
  if (problem instanceof CallerGone)
    return { outcome: 'caller gone', status: null, reason: null, message: null, stages };
  return { outcome: 'failed', status, reason, message: own.masked(message), stages };
}

function facts({ output, receipt }: Conversion): object {
  return { bytes: output.bytes.length, pages: output.pages?.printed, credits: receipt.consumed };
}

/** Writes the first line of the job's own log. */
export function beginLog(
  log: DebugLog,
  { id, account, tag }: Pick<Told, 'id' | 'account' | 'tag'>,
  versions: Versions,
): void {
  const received = new Date().toISOString();
  log.write({
    kind: 'job',
    text: id,
    detail: { account, ...(tag !== undefined && { tag }), received, versions },
  });
}

/** Writes what was asked for, and what is in force, into the job's own log. */
export function describeJob(job: Job, log: DebugLog, twin: boolean): void {
  if (!log.recorded) return;
  const text = `${counted(job.written.size, 'option')} given, the others at their defaults`;
  const options = shownOptions(job, twin);
  log.write({ kind: 'options', text, detail: { input: job.input.kind, options } });
  for (const { text: said, code, options: about } of job.notes) log.note(said, { code, options: about });
}
