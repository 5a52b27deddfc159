/** Decides which files of asynchronous jobs are still needed. */
import type { Database } from '../../accounts/store/tables.ts';
import { isUnavailable } from '../../accounts/store/unavailable.ts';
import type { ServiceLog } from '../../log/service-log.ts';
import type { ClaimedJob } from '../claim.ts';
import { fileOfOutput } from '../stored-output.ts';
import type { JobFiles } from './job-files.ts';

/** Which files of a job are kept: all while the job waits or runs, then its output, which may be undefined. */
export type KeptFiles = 'all' | { readonly output: string | undefined };

/** Returns which files of these jobs are kept. A job that does not exist has no entry. */
export async function keptFilesOf(
  database: Database,
  jobs: readonly string[],
): Promise<ReadonlyMap<string, KeptFiles>> {
  if (jobs.length === 0) return new Map();
  const rows = await database
    .selectFrom('asynchronous_jobs')
    .select(['job_id', 'output_headers', 'output_deleted'])
    .select(({ eb }) => eb('request', 'is not', null).as('is_open'))
    .where('job_id', 'in', jobs)
    .execute();
  const kept = new Map<string, KeptFiles>();
  for (const { job_id, output_headers, output_deleted, is_open } of rows) {
    const output = output_deleted === 1 ? undefined : fileOfOutput(output_headers)?.file;
    // SQLite returns 0 or 1.
    kept.set(job_id, Boolean(is_open) ? 'all' : { output });
  }
  return kept;
}

/** Deletes the files of a job that are no longer needed: its uploads after its end, an output that was deleted or not completed. */
export async function removeUnneededFiles(database: Database, files: JobFiles, job: string): Promise<void> {
  const kept = (await keptFilesOf(database, [job])).get(job);
  if (kept !== 'all') await files.remove(job, kept?.output);
}

/** Deletes what is no longer needed after a run of a job. Never rejects: the sweep deletes what remains. */
export async function removeFilesAfterRun(
  { id, request }: Pick<ClaimedJob, 'id' | 'request'>,
  {
    database,
    files,
    log,
  }: { readonly database: Database; readonly files: JobFiles; readonly log: ServiceLog },
): Promise<void> {
  // The last row of a batch also ends the batch, whose template is then not needed any more.
  for (const job of request.batch === undefined ? [id] : [id, request.batch])
    await removeUnneededFiles(database, files, job).catch((problem: unknown) => {
      if (!isUnavailable(problem)) log.warn({ err: problem, job }, 'cannot delete files of a job');
    });
}
