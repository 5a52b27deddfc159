/** Runs a job that a service has claimed, in a process of its own (docs/decisions/0064-suspects.md). */
import { accountOfRow } from '../accounts/account.ts';
import { freeCredits } from '../accounts/ledger/credits.ts';
import type { Store } from '../accounts/store/store.ts';
import type { Settings } from '../settings/table.ts';
import { AccountShares } from './account-shares.ts';
import { filesFolderOf, openFiles } from './asynchronous-jobs.ts';
import type { ClaimedJob } from './claim.ts';
import { JobEnds, type ClaimedStart } from './job-end.ts';
import { JobRun, type JobRunDependencies } from './job-run.ts';
import { BatchRequests, decryptRequest } from './stored-request.ts';

export interface IsolatedJobOptions extends Omit<
  JobRunDependencies,
  'database' | 'files' | 'batchRequests' | 'shares' | 'ends' | 'metrics' | 'isStopping' | 'settings'
> {
  readonly store: Pick<Store, 'database' | 'isShared'>;
  readonly settings: Settings & { readonly data: string };
  /** Called before the job begins. From then on, the job is the reason if the process dies. */
  readonly onBegin: () => Promise<void>;
}

/** Resolves when the job has ended or waits again, or immediately if it was canceled. @throws the error of the database */
export async function runIsolatedJob(claim: ClaimedStart, options: IsolatedJobOptions): Promise<void> {
  const { store, keyring, settings, onBegin } = options;
  const job = await readClaimedJob(options, claim);
  if (job === undefined) return;
  await onBegin();
  const run = new JobRun(job, {
    ...options,
    database: store.database,
    files: openFiles(options),
    batchRequests: new BatchRequests(store.database, keyring),
    shares: new AccountShares({ settings, filesFolder: filesFolderOf(options) }),
    ends: new JobEnds({ keyring, debugLogKeepMs: settings['debug-log-keep'] }),
    // The service counts the job, from its record.
    metrics: { jobEnded() {} },
    // The service ends this process if it cannot wait for the job.
    isStopping: () => false,
  });
  await run.run();
}

/** Returns undefined if the claim does not hold any more. */
async function readClaimedJob(
  { store: { database }, keyring }: Pick<IsolatedJobOptions, 'store' | 'keyring'>,
  { id, node, startedAt }: ClaimedStart,
): Promise<ClaimedJob | undefined> {
  const job = await database
    .selectFrom('jobs')
    .innerJoin('asynchronous_jobs', 'job_id', 'id')
    .select(['jobs.account_id', 'reserved', 'request', 'keep_ms'])
    .where('id', '=', id)
    .where('outcome', 'is', null)
    .where('node_id', '=', node)
    .where('started_at', '=', startedAt)
    .executeTakeFirst();
  const request = job && decryptRequest(keyring, id, job.request ?? '');
  if (job === undefined || request === undefined) return undefined;
  const account = await database
    .selectFrom('accounts')
    .selectAll()
    .where('id', '=', job.account_id)
    .executeTakeFirstOrThrow();
  return {
    id,
    node,
    startedAt,
    account: accountOfRow(account),
    free: job.reserved === 0 ? 0 : await freeCredits(database, account, id),
    request,
    keepMs: job.keep_ms,
  };
}
