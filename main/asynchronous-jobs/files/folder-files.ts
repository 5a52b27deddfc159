/** Stores the files of asynchronous jobs in a folder, one subfolder for each job. */
import { createReadStream } from 'node:fs';
import { mkdir, open, readdir, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Database } from '../../accounts/store/tables.ts';
import { isMissingFile } from '../../failure/failure.ts';
import { missingFile, partBytes, type JobFiles, type NewJobFile } from './job-files.ts';
import { keptFilesOf, type KeptFiles } from './kept-files.ts';

/** A folder of a job that is younger may belong to a job that is being submitted. */
const minSweepAgeMs = 3_600_000;
const jobId = /^[0-9a-z]{26}$/;
const sweepBatch = 200;

export class FolderFiles implements JobFiles {
  readonly #folder: string;
  readonly #database: Database;

  constructor(folder: string, database: Database) {
    this.#folder = folder;
    this.#database = database;
  }

  async addUploads(job: string, files: readonly NewJobFile[]): Promise<() => Promise<void>> {
    for (const { name, content } of files) await this.write(job, name, content());
    return () => Promise.resolve();
  }

  async write(job: string, name: string, content: AsyncIterable<Uint8Array>): Promise<void> {
    const folder = join(this.#folder, job);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await writeDurably(join(folder, name), content);
    // The names of the file and of its folder must survive a power failure too.
    await syncFolder(folder);
    await syncFolder(dirname(folder));
  }

  async *read(job: string, name: string): AsyncIterable<Uint8Array> {
    try {
      yield* createReadStream(join(this.#folder, job, name), { highWaterMark: partBytes });
    } catch (problem) {
      throw isMissingFile(problem) ? missingFile(job, name) : problem;
    }
  }

  async remove(job: string, except?: string): Promise<void> {
    const folder = join(this.#folder, job);
    if (except === undefined) {
      await rm(folder, { recursive: true, force: true, maxRetries: 3 });
      return;
    }
    for (const name of await namesIn(folder))
      if (name !== except) await rm(join(folder, name), { force: true, maxRetries: 3 });
  }

  async sweep(): Promise<void> {
    const jobs = (await namesIn(this.#folder)).filter((name) => jobId.test(name));
    for (let first = 0; first < jobs.length; first += sweepBatch) {
      const batch = jobs.slice(first, first + sweepBatch);
      const kept = await keptFilesOf(this.#database, batch);
      for (const job of batch) await this.#sweepJob(job, kept.get(job));
    }
  }

  async #sweepJob(job: string, kept: KeptFiles | undefined): Promise<void> {
    if (kept === 'all' || !(await this.#isOld(job))) return;
    await this.remove(job, kept?.output);
  }

  async #isOld(job: string): Promise<boolean> {
    const stats = await stat(join(this.#folder, job)).catch(() => undefined);
    return stats !== undefined && Date.now() - stats.mtimeMs > minSweepAgeMs;
  }
}

/** Deletes the file if it cannot be written completely, for example because the disk is full. */
async function writeDurably(path: string, content: AsyncIterable<Uint8Array>): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  try {
    for await (const part of content) await file.writeFile(part);
    await file.sync();
  } catch (problem) {
    await rm(path, { force: true }).catch(() => {});
    throw problem;
  } finally {
    await file.close();
  }
}

/** Windows cannot synchronize a folder, and needs not. */
async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  await using handle = await open(folder, 'r');
  await handle.sync();
}

async function namesIn(folder: string): Promise<string[]> {
  return await readdir(folder).catch((problem: unknown) => {
    if (isMissingFile(problem)) return [];
    throw problem;
  });
}
