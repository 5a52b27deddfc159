/** Stores the files of asynchronous jobs in the table `job_files`, in parts, so that every node has them. */
import type { Database } from '../../accounts/store/tables.ts';
import { missingFile, partBytes, type JobFiles, type NewJobFile } from './job-files.ts';
import { keptFilesOf } from './kept-files.ts';

const sweepBatch = 200;

export class TableFiles implements JobFiles {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Nothing can be stored before the job has a row. */
  addUploads(job: string, files: readonly NewJobFile[]): Promise<(transaction: Database) => Promise<void>> {
    return Promise.resolve(async (transaction) => {
      for (const { name, content } of files)
        await insertParts(transaction, { job, name }, wholeParts(content()));
    });
  }

  async write(job: string, name: string, content: AsyncIterable<Uint8Array>): Promise<void> {
    await insertParts(this.#database, { job, name }, wholeParts(content));
  }

  async *read(job: string, name: string): AsyncIterable<Uint8Array> {
    for (let part = 0; ; part += 1) {
      const row = await this.#database
        .selectFrom('job_files')
        .select('bytes')
        .where('job_id', '=', job)
        .where('name', '=', name)
        .where('part', '=', part)
        .executeTakeFirst();
      if (row === undefined && part === 0) throw missingFile(job, name);
      if (row === undefined) return;
      yield row.bytes;
      // Only the last part is shorter.
      if (row.bytes.length < partBytes) return;
    }
  }

  async remove(job: string, except?: string): Promise<void> {
    let deletion = this.#database.deleteFrom('job_files').where('job_id', '=', job);
    if (except !== undefined) deletion = deletion.where('name', '!=', except);
    await deletion.execute();
  }

  async sweep(): Promise<void> {
    for (let after = ''; ;) {
      const rows = await this.#database
        .selectFrom('job_files')
        .select('job_id')
        .distinct()
        .where('job_id', '>', after)
        .where('part', '=', 0)
        .orderBy('job_id')
        .limit(sweepBatch)
        .execute();
      const jobs = rows.map(({ job_id }) => job_id);
      for (const [job, kept] of await keptFilesOf(this.#database, jobs))
        if (kept !== 'all') await this.remove(job, kept.output);
      after = jobs.at(-1) ?? '';
      if (jobs.length < sweepBatch) return;
    }
  }
}

async function insertParts(
  database: Database,
  { job, name }: { readonly job: string; readonly name: string },
  parts: AsyncIterable<Uint8Array>,
): Promise<void> {
  let part = 0;
  const insert = async (bytes: Uint8Array) => {
    const row = { job_id: job, name, part, bytes: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length) };
    await database.insertInto('job_files').values(row).execute();
    part += 1;
  };
  for await (const bytes of parts) await insert(bytes);
  // An empty file has one empty part.
  if (part === 0) await insert(Buffer.alloc(0));
}

/** Returns the same bytes in parts that all have the full size, except the last. */
async function* wholeParts(content: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  let pending: Uint8Array = Buffer.alloc(0);
  for await (const chunk of content) {
    pending = Buffer.concat([pending, chunk]);
    for (; pending.length >= partBytes; pending = pending.subarray(partBytes))
      yield pending.subarray(0, partBytes);
  }
  if (pending.length > 0) yield pending;
}
