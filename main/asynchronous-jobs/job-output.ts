/** Finds the output of an asynchronous job, or the failure that is its result. */
import { isAsynchronous, stateOf, type JobRecord } from '../accounts/store/job-records.ts';
import { kindOf } from '../failure/catalogue.ts';
import { Failure } from '../failure/failure.ts';
import { readStoredOutput, type StoredJobOutput } from './stored-output.ts';

/** The result of a job: an output, or the failure that the synchronous call would have had. */
export type JobResult =
  | { readonly kind: 'output'; readonly output: StoredJobOutput }
  /** A batch whose output is an archive. */
  | { readonly kind: 'archive' }
  | { readonly kind: 'failure'; readonly failure: Failure };

/** Jobs usually end within a few seconds. */
const retrySeconds = 2;

/**
 * Returns the result of a job. `now`: milliseconds since 1970.
 * @throws Failure notFound for a synchronous job, jobNotEnded, outputGone
 */
export function resultOf(job: JobRecord, now: number): JobResult {
  if (!isAsynchronous(job)) throw notAsynchronous();
  const state = stateOf(job);
  if (state === 'queued' || state === 'running')
    throw new Failure('jobNotEnded', `The job has not ended: it is ${state}. Ask again later.`, {
      retryAfter: retrySeconds,
    });
  if (state === 'canceled') throw new Failure('outputGone', 'The job was canceled, so it has no output.');
  if (state === 'failed') return { kind: 'failure', failure: failureOf(job) };
  const output = readStoredOutput(job.output_headers);
  if (output === undefined || job.output_deleted === 1) throw gone('was deleted or has expired');
  if (job.expires_at !== null && job.expires_at <= now) throw gone('has expired');
  return 'kind' in output ? output : { kind: 'output', output };
}

export function notAsynchronous(): Failure {
  const message =
    'The job was not submitted with POST /jobs: its output was the response to its request, and it cannot be canceled.';
  return new Failure('notFound', message);
}

function gone(why: string): Failure {
  return new Failure('outputGone', `The output of the job ${why}. Submit the job again.`);
}

function failureOf({ status, reason, message }: JobRecord): Failure {
  const kind = kindOf(status ?? 0, reason ?? 0) ?? 'internal';
  return new Failure(kind, message ?? 'The conversion failed because of an error in the service.');
}
