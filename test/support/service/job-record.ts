/** Reads job records, over HTTP and from the database file. */
import type { AccountBook } from '../../../main/accounts/accounts.ts';
import { databasePath, openDatabase } from '../../../main/accounts/store/database.ts';
import type { Database } from '../../../main/accounts/store/tables.ts';
import { openBook } from '../accounts/accounts.ts';
import type { Service } from './service.ts';
import { waitUntil } from '../wait-until.ts';

export const basic = (user: string, key = 'key') =>
  `Basic ${Buffer.from(`${user}:${key}`).toString('base64')}`;

export interface ListedJob {
  readonly id: string;
  readonly account: string;
  readonly tag: string | null;
  readonly input: string | null;
  readonly input_bytes: number | null;
  readonly output_format: string | null;
  readonly parameters: Readonly<Record<string, string>> | null;
  readonly outcome: string | null;
  readonly status: number | null;
  readonly reason: number | null;
  readonly message: string | null;
  readonly received_at: string;
  readonly ended_at: string | null;
  readonly stages: Readonly<Record<string, number>> | null;
  readonly output_bytes: number | null;
  readonly pages: number | null;
  readonly total_pages: number | null;
  readonly consumed_credits: number;
  readonly debug_log: string | null;
}

export interface JobList {
  readonly jobs: readonly ListedJob[];
  readonly next: string | null;
}

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
    ...{ database, book: openBook(database, true) },
    [Symbol.asyncDispose]: () => database.destroy(),
  };
}
