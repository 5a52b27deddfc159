/** The console calls that read job records and debug logs. */
import { buffer } from 'node:stream/consumers';
import type { Account } from '../accounts/account.ts';
import { progressOf } from '../accounts/job-json.ts';
import type { AccountBook } from '../accounts/accounts.ts';
import {
  hasReadableLog,
  isAsynchronous,
  stateOf,
  type JobFilter,
  type JobRecord,
} from '../accounts/store/job-records.ts';
import { accountOfRequestedJobs, type Jobs } from '../accounts/jobs.ts';
import type { AsynchronousJobs } from '../asynchronous-jobs/asynchronous-jobs.ts';
import { archiveName } from '../asynchronous-jobs/batch/batch-archive.ts';
import type { ClosingLogs } from '../conversion/job-log.ts';
import { Failure } from '../failure/failure.ts';
import type { DebugLogs } from '../log/debug-logs.ts';
import { counted } from '../log/findings/phrases.ts';
import type { ConsoleLog } from '../log/render-log.ts';
import type { Settings } from '../settings/table.ts';
import type { Handlers } from './calls.ts';
import type { JobView, ParsedInputOf } from './contract.ts';
import type { OutputWithBytes } from './outputs.ts';

export interface JobCallDependencies {
  readonly settings: Pick<Settings, 'debug-log-keep'>;
  readonly accounts: Pick<AccountBook, 'find'>;
  readonly jobs: Pick<Jobs, 'list' | 'find'>;
  readonly asynchronousJobs: Pick<AsynchronousJobs, 'remove' | 'resultOf' | 'readOutput' | 'openArchive'>;
  readonly debugLogs: Pick<DebugLogs, 'render'>;
  readonly closingLogs: Pick<ClosingLogs, 'closed'>;
  /** Returns the service's address, for callers that do not send one. */
  readonly baseUrl: () => string;
}

/** Returns the handlers. Callers see the jobs of their own account, operators all jobs. */
export function jobCalls(
  dependencies: JobCallDependencies,
): Pick<Handlers, 'jobs' | 'job' | 'cancelJob' | 'log'> {
  const { accounts, jobs } = dependencies;
  const view = (job: JobRecord) => viewOf(job, dependencies);
  return {
    async jobs({ account: named, before, outcome, text, limit }, caller) {
      const account = await accountOfRequestedJobs(accounts, caller, named);
      const page = await jobs.list({
        account,
        before,
        ...filterOf(outcome),
        text,
        limit: Math.min(limit, maxListed),
      });
      return { jobs: page.jobs.map(view), next: page.next };
    },
    job: async ({ id }, caller) => view(await findJob(dependencies, id, caller)),
    async cancelJob({ id }, caller) {
      const job = await findJob(dependencies, id, caller);
      // Removing an ended job would delete its output.
      if (job.outcome === null) await dependencies.asynchronousJobs.remove(job);
      return view(await findJob(dependencies, id, caller));
    },
    async log({ job: id }, caller, baseUrl = dependencies.baseUrl()) {
      const job = await findJob(dependencies, id, caller);
      if (job.debug_log === null) throw neverRecorded(job);
      await dependencies.closingLogs.closed(job.debug_log);
      const rendered = await dependencies.debugLogs.render(job.debug_log, { format: 'console' });
      if (rendered?.body === undefined) throw expired(dependencies.settings['debug-log-keep']);
      const link = `${baseUrl}/debug-log/${job.debug_log}`;
      return { ...(JSON.parse(Buffer.from(rendered.body).toString()) as ConsoleLog), link };
    },
  };
}

/** The answer is written in one step. `next` leads to the further jobs. */
const maxListed = 100;

function filterOf(outcome: ParsedInputOf<'jobs'>['outcome']): Pick<JobFilter, 'outcome' | 'state'> {
  if (outcome === 'queued') return { state: 'queued' };
  return outcome === 'under way' ? { state: 'running' } : { outcome };
}

/**
 * Returns the output of an asynchronous job, for the desktop window, which does not stream.
 * @throws Failure of the job; notFound, jobNotEnded, outputGone
 */
export async function readJobOutput(
  dependencies: Pick<JobCallDependencies, 'jobs' | 'asynchronousJobs'>,
  id: string,
  caller: Account,
): Promise<OutputWithBytes> {
  const job = await findJob(dependencies, id, caller);
  const result = dependencies.asynchronousJobs.resultOf(job);
  if (result.kind === 'failure') throw result.failure;
  if (result.kind === 'archive') {
    const { stream } = await dependencies.asynchronousJobs.openArchive(id);
    return { name: archiveName(job.tag), type: 'application/zip', bytes: await buffer(stream) };
  }
  const { name, contentType: type } = result.output;
  const parts: Uint8Array[] = [];
  for await (const part of dependencies.asynchronousJobs.readOutput(id, result.output)) parts.push(part);
  return { name, type, bytes: Buffer.concat(parts) };
}

/** Returns the job. @throws Failure notFound, also for a job of another account unless the caller is an operator */
async function findJob(
  { jobs }: Pick<JobCallDependencies, 'jobs'>,
  id: string,
  { id: callerId, operator }: Account,
): Promise<JobRecord> {
  const job = await jobs.find(id, operator ? undefined : callerId);
  if (job !== undefined) return job;
  throw new Failure('notFound', 'Your account has no job with this id.');
}

function outputNameOf(job: JobRecord, { asynchronousJobs }: Pick<JobCallDependencies, 'asynchronousJobs'>) {
  if (job.outcome !== 'converted' || !isAsynchronous(job) || job.expires_at === null) return null;
  const isExpired = job.expires_at <= Date.now();
  const result = isExpired ? undefined : asynchronousJobs.resultOf(job);
  if (result?.kind === 'archive') return archiveName(job.tag);
  return result?.kind === 'output' ? result.output.name : null;
}

function viewOf(
  job: JobRecord,
  dependencies: Pick<JobCallDependencies, 'settings' | 'asynchronousJobs'>,
): JobView {
  const { settings } = dependencies;
  const { id, account, tag, input, parameters, stages, outcome, status, reason, message } = job;
  return {
    id,
    account,
    tag,
    input: input as JobView['input'],
    inputBytes: job.input_bytes,
    outputFormat: job.output_format,
    parameters: parameters === null ? null : (JSON.parse(parameters) as Record<string, string>),
    outcome,
    state: stateOf(job),
    isAsynchronous: isAsynchronous(job),
    outputName: outputNameOf(job, dependencies),
    status,
    reason,
    message,
    received: job.received_at,
    ended: job.ended_at,
    stages: stages === null ? null : (JSON.parse(stages) as Record<string, number>),
    outputBytes: job.output_bytes,
    pages: job.pages,
    totalPages: job.total_pages,
    credits: job.totals?.charged ?? job.charged,
    progress: job.totals === undefined ? null : progressOf(job.totals),
    hasDebugLog: hasReadableLog(job, settings['debug-log-keep']),
  };
}

/** Returns the failure for a job without a debug log. A running job may still get a debug log when its form has arrived. */
function neverRecorded({ outcome }: JobRecord): Failure {
  const message =
    outcome === null
      ? 'The job has no debug log yet. Try again in a moment.'
      : 'The job has no debug log: only runs of the console and calls with debug_log=true have one.';
  return new Failure('notFound', message);
}

function expired(keepMs: number): Failure {
  return new Failure(
    'notFound',
    `The job's debug log has expired: logs are kept for ${durationText(keepMs)} (debug-log-keep). Run the job again for a new log.`,
  );
}

/** Returns a duration in hours, minutes or seconds. */
function durationText(milliseconds: number): string {
  if (milliseconds >= 2 * 3_600_000) return counted(Math.round(milliseconds / 3_600_000), 'hour');
  if (milliseconds >= 2 * 60_000) return counted(Math.round(milliseconds / 60_000), 'minute');
  return counted(Math.round(milliseconds / 1000), 'second');
}
