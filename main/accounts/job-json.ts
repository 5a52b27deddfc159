/** The JSON of a job, which the API returns and callbacks contain. */
import type { BatchProgress } from './store/batch-records.ts';
import { hasReadableLog, isAsynchronous, stateOf, type JobRecord } from './store/job-records.ts';

export interface JobJsonOptions {
  /** Base URL of links, without a trailing slash. */
  readonly baseUrl: string;
  /** How long debug logs are kept, in milliseconds. */
  readonly debugLogKeepMs: number;
}

/**
 * Returns the JSON of a job: times in ISO 8601, sizes in bytes, stages in milliseconds, `keep` in seconds. `outcome` is null until the
 * job has ended. `priority`, `callback_url`, `keep` and `expires_at` are null for a synchronous job, `batch` and `row` for all but the
 * rows of a batch, `progress` for all but a batch. `consumed_credits` of a batch is the sum of its rows.
 */
export function jobJson(job: JobRecord, { baseUrl, debugLogKeepMs }: JobJsonOptions): object {
  const {
    id,
    account,
    tag,
    input,
    input_bytes,
    output_format,
    parameters,
    outcome,
    stages,
    totals,
    failures,
  } = job;
  return {
    id,
    state: stateOf(job),
    account,
    tag,
    input,
    input_bytes,
    output_format,
    parameters: parameters === null ? null : (JSON.parse(parameters) as object),
    outcome,
    status: job.status,
    reason: job.reason,
    message: job.message,
    received_at: new Date(job.received_at).toISOString(),
    started_at: timeText(job.started_at),
    ended_at: timeText(job.ended_at),
    stages: stages === null ? null : (JSON.parse(stages) as object),
    output_bytes: job.output_bytes,
    pages: job.pages,
    total_pages: job.total_pages,
    consumed_credits: totals?.charged ?? job.charged,
    debug_log: hasReadableLog(job, debugLogKeepMs) ? `${baseUrl}/debug-log/${job.debug_log ?? ''}` : null,
    priority: isAsynchronous(job) ? priorityNames[job.priority ?? 1] : null,
    callback_url: job.callback_url,
    keep: job.keep_ms === null ? null : job.keep_ms / 1000,
    expires_at: timeText(job.expires_at),
    batch: job.batch_id,
    row: job.row_number,
    progress: totals === undefined ? null : progressOf(totals),
    ...(failures && { failures }),
  };
}

/** The names of the priorities, in the order of their numbers. */
export const priorityNames = ['interactive', 'batch'] as const;

export function progressOf({ rows, done, failed, canceled }: BatchProgress): BatchProgress {
  return { rows, done, failed, canceled };
}

function timeText(time: number | null): string | null {
  return time === null ? null : new Date(time).toISOString();
}
