/** What is told of a job in the record, in the service's log and in its own. */
import type { JobEntry } from '../accounts/job-entry.ts';
import type { Conversion } from '../convert.ts';
import { toFailure } from '../failure/failure.ts';
import type { Job } from '../job/job.ts';
import type { DebugLog } from '../log/debug-log.ts';
import type { Versions } from '../log/events.ts';
import { aboutJob, type ServiceLog } from '../log/service-log.ts';
import { CallerGone } from './caller-gone.ts';
import { counted, shownOptions } from './shown-options.ts';

interface Told {
  readonly id: string;
  readonly account: string;
  readonly tag: string | undefined;
  readonly entry: JobEntry;
  /** The job's own log. */
  readonly own: DebugLog;
  readonly log: ServiceLog;
}

/** Ends the job's own log, when all but the delivery is done. */
export type EndOwn = (conversion: Conversion) => Promise<void>;

/** Writes how the work ended into the record and both logs; a caller who has hung up is told nothing. */
export async function logged(
  { id, account, tag, entry, own, log }: Told,
  work: (endOwn: EndOwn) => Promise<Conversion>,
): Promise<void> {
  const began = performance.now();
  const told = aboutJob(log, { job: id, account, tag });
  told.debug('received');
  const endOwn: EndOwn = async ({ output }) => {
    const pages = output.pages && { pages: output.pages.printed };
    await own.end('converted', { outcome: 'converted', bytes: output.bytes.length, ...pages });
  };
  try {
    const conversion = await work(endOwn);
    const ms = Math.round(performance.now() - began);
    told.info({ ...facts(conversion), ms, stages: own.durations }, 'converted');
  } catch (problem) {
    const gone = problem instanceof CallerGone;
    if (gone) told.info({ stage: own.stage }, 'the caller hung up');
    await endAsFailed(own, problem);
    await recordFailure(entry, own, problem);
    if (!gone) throw problem;
  }
}

async function endAsFailed(own: DebugLog, problem: unknown): Promise<void> {
  const gone = problem instanceof CallerGone;
  const { message, status, reason } = toFailure(problem);
  own.write({
    kind: 'failure',
    text: gone ? 'The caller hung up.' : message,
    detail: { ...(!gone && { status, reason }), stage: own.stage },
  });
  await own.end('failed', { outcome: gone ? 'caller gone' : 'failed' });
}

/** Enters the failure as the caller is told it, into the record. */
async function recordFailure(
  entry: JobEntry,
  own: Pick<DebugLog, 'durations' | 'masked'>,
  problem: unknown,
): Promise<void> {
  const { message, status, reason } = toFailure(problem);
  const stages = own.durations;
  if (problem instanceof CallerGone)
    await entry.fail({ outcome: 'caller gone', status: null, reason: null, message: null, stages });
  else await entry.fail({ outcome: 'failed', status, reason, message: own.masked(message), stages });
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
