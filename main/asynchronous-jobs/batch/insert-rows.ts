/**
 * Creates the jobs of the rows of a batch that is not visible yet, in transactions so small that other work of the service waits for each
 * only for some milliseconds: SQLite writes on the main thread, and one at a time.
 */
import { randomBytes } from 'node:crypto';
import type { Insertable } from 'kysely';
import { nextTurn } from '../../async/yielding.ts';
import { currentTime } from '../../accounts/store/dialect.ts';
import type { Database, JobPriority, Tables } from '../../accounts/store/tables.ts';
import type { Keyring } from '../../encryption/keyring.ts';
import { writeForCaller } from '../../accounts/store/write-retries.ts';
import { catalogue } from '../../failure/catalogue.ts';
import { readRows, type Row } from '../../rows/read-rows.ts';
import { encryptRequest, type StoredRequest } from '../stored-request.ts';
import { rowFields } from './row-request.ts';
import { problemOfRow } from './validate-batch.ts';

export interface BatchRows {
  /** The id of the batch's job. */
  readonly batch: string;
  readonly account: number;
  readonly priority: JobPriority;
  /** How long outputs are kept, in milliseconds. */
  readonly keepMs: number;
  /** The base URL of links, without a trailing slash. */
  readonly baseUrl: string;
  /** What the records of all rows have in common. */
  readonly facts: Pick<Insertable<Tables['jobs']>, 'tag' | 'input' | 'input_bytes' | 'output_format'>;
  readonly outputName: string | undefined;
  /** Path of the file of rows, which was validated before. */
  readonly path: string;
}

/** Limits of one transaction. */
const maxRows = 50;
const maxCharacters = 500_000;

/** Inserts a job for each row. A row that cannot be used is a job that has failed. @throws Failure unavailable */
export async function insertRows(database: Database, keyring: Keyring, rows: BatchRows): Promise<void> {
  for await (const some of groupsOf(readRows(rows.path))) {
    await writeForCaller(() =>
      database.transaction().execute((transaction) => insert(transaction, keyring, rows, some)),
    );
    // A query of SQLite that is awaited does not let the event loop do anything else.
    await nextTurn();
  }
}

async function* groupsOf(rows: AsyncIterable<Row>): AsyncGenerator<readonly Row[]> {
  let group: Row[] = [];
  let characters = 0;
  for await (const row of rows) {
    group.push(row);
    characters += 'json' in row ? row.json.length : 0;
    if (group.length < maxRows && characters < maxCharacters) continue;
    yield group;
    group = [];
    characters = 0;
  }
  if (group.length > 0) yield group;
}

async function insert(
  ...[transaction, keyring, batch, rows]: [Database, Keyring, BatchRows, readonly Row[]]
): Promise<void> {
  const now = Date.now();
  const jobs = rows.map((row) => ({ id: rowJobId(batch.batch, row.number), row }));
  await transaction
    .insertInto('jobs')
    .values(
      jobs.map(({ id, row }) => ({
        id,
        account_id: batch.account,
        received_at: now,
        ...batch.facts,
        reserved: 0,
        charged: 0,
        ...failureOf(row, now),
      })),
    )
    .execute();
  await transaction
    .insertInto('asynchronous_jobs')
    .values(
      jobs.map(({ id, row }) => ({
        job_id: id,
        account_id: batch.account,
        priority: batch.priority,
        request: requestOf(keyring, id, { ...batch, row }),
        available_at: currentTime(transaction),
        keep_ms: batch.keepMs,
        batch_id: batch.batch,
        row_number: row.number,
      })),
    )
    .execute();
}

/** Returns the columns of a row that cannot be used; null in the others, because all rows of a statement have the same columns. */
function failureOf(row: Row, now: number) {
  if ('json' in row) return { outcome: null, status: null, reason: null, message: null, ended_at: null };
  const { status, reason } = catalogue.dataInvalid;
  return { outcome: 'failed' as const, status, reason, message: problemOfRow(row), ended_at: now };
}

function requestOf(
  keyring: Keyring,
  job: string,
  { batch, baseUrl, outputName, row }: BatchRows & { readonly row: Row },
): string | null {
  if (!('json' in row)) return null;
  const request: StoredRequest = { baseUrl, fields: rowFields(row.json, outputName), files: [], batch };
  return encryptRequest(keyring, job, request);
}

/** Returns an id that sorts by the number of the row, because the jobs of an account run in the order of their ids. */
function rowJobId(batch: string, row: number): string {
  const timeLength = 10;
  const number = row.toString(16).padStart(4, '0');
  return `${batch.slice(0, timeLength)}${number}${randomBytes(6).toString('hex')}`;
}
