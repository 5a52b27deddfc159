/** Reads job records, over HTTP and from the database file. */
import type { JobList } from '../../../client/generated/answers.ts';
import type { AccountBook } from '../../../main/accounts/accounts.ts';
import { databasePath, openDatabase } from '../../../main/accounts/store/sqlite/sqlite-database.ts';
import type { Database } from '../../../main/accounts/store/tables.ts';
import { openBook } from '../accounts/accounts.ts';
import type { Service } from './service.ts';
import { waitUntil } from '../wait-until.ts';

export const basic = (user: string, key = 'key') =>
  `Basic ${Buffer.from(`${user}:${key}`).toString('base64')}`;

export type { JobList };
export type ListedJob = JobList['jobs'][number];

/** Sends a GET to a path of the service. */
export function get(service: Pick<Service, 'url'>, path: string, authorization: string): Promise<Response> {
  return fetch(`${service.url}${path}`, { headers: { authorization } });
}

export async function listJobs(
  service: Pick<Service, 'url'>,
  authorization: string,
  query = '',
): Promise<JobList> {
  return (await (await get(service, `/jobs${query}`, authorization)).json()) as JobList;
}

/** Polls the list of jobs until it matches, and resolves with it. */
export async function waitForJobs(
  service: Pick<Service, 'url'>,
  authorization: string,
  matches: (jobs: readonly ListedJob[]) => boolean,
): Promise<readonly ListedJob[]> {
  let jobs: readonly ListedJob[] = [];
  await waitUntil('the list of jobs matches', async () => {
    ({ jobs } = await listJobs(service, authorization));
    return matches(jobs);
  });
  return jobs;
}

export interface OpenedDatabase extends AsyncDisposable {
  readonly database: Database;
  readonly book: AccountBook;
}

/** Opens the database of the service, as the command line does. */
export async function openServiceDatabase(service: Pick<Service, 'data'>): Promise<OpenedDatabase> {
  const database = await openDatabase(databasePath(service.data));
  return {
    database,
    book: openBook(database, true),
    [Symbol.asyncDispose]: () => database.destroy(),
  };
}
