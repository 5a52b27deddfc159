/** What is told of a job in the service's log and in its own. */
import type { Conversion } from '../convert.ts';
import { toFailure } from '../failure/failure.ts';
import type { Job } from '../job/job.ts';
import type { DebugLog } from '../log/debug-log.ts';
import type { Versions } from '../log/events.ts';
import { aboutJob, type ServiceLog } from '../log/service-log.ts';
import { counted, shownOptions } from './shown-options.ts';

/** The caller hung up: nobody reads the answer, so it needs no sentence. */
export class CallerGone extends Error {}

interface Told {
  readonly id: string;
  readonly account: string;
  readonly tag: string | undefined;
  /** The job's own log. */
  readonly own: DebugLog;
  readonly log: ServiceLog;
}

/** Writes how the work ended into both logs; undefined when the caller has hung up. */
export async function logged<C extends Conversion>(
  { id, account, tag, own, log }: Told,
  work: () => Promise<C>,
): Promise<C | undefined> {
  const began = performance.now();
  const told = aboutJob(log, { job: id, account, tag });
  told.debug('received');
  try {
    const conversion = await work();
    const ms = Math.round(performance.now() - began);
    told.info({ ...facts(conversion), ms, stages: own.durations }, 'converted');
    await own.end('converted', {
      outcome: 'converted',
      bytes: conversion.output.bytes.length,
      ...(conversion.output.pages && { pages: conversion.output.pages.printed }),
    });
    return conversion;
  } catch (problem) {
    const gone = problem instanceof CallerGone;
    if (gone) told.info({ stage: own.stage }, 'the caller hung up');
    const { message, status, reason } = toFailure(problem);
    own.write({
      kind: 'failure',
      text: gone ? 'The caller hung up.' : message,
      detail: { ...(!gone && { status, reason }), stage: own.stage },
    });
    await own.end('failed', { outcome: gone ? 'caller gone' : 'failed' });
    if (!gone) throw problem;
    return undefined;
  }
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
