/**
 * The store of debug logs: one file for each log in the data folder, named by an unguessable id and deleted when it expires. If
 * several nodes share a database, each log is also copied to the database when it ends, so that the other nodes can read it.
 */
import { randomBytes } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { chmod, mkdir, readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { openThreadPool, transferable } from '../async/threads.ts';
import { DebugLog } from './debug-log.ts';
import type { LogEvent } from './events.ts';
import { LogShares } from './log-shares.ts';
import { eventsIn, renderLog, type LogView, type RenderedLog } from './render-log.ts';
import type { RenderTask } from './render-worker.ts';

/** Debug logs that several nodes share. The bytes are compressed with gzip. */
export interface DebugLogArchive {
  /** Announces a log, so that a reader can tell a log that is not complete from an unknown id. */
  readonly announce: (id: string) => Promise<void>;
  readonly store: (id: string, events: Buffer) => Promise<void>;
  /** Returns undefined for an unknown log, and 'announced' for a log that has not been stored. */
  readonly read: (id: string, maxAgeMs: number) => Promise<Buffer | 'announced' | undefined>;
  readonly remove: (ids: readonly string[]) => Promise<void>;
  readonly removeOlderThan: (maxAgeMs: number) => Promise<void>;
}

const idPattern = /^[0-9a-f]{40}$/;
const sweepIntervalMs = 600_000;
/** Logs up to this size are rendered on the main thread, because a message to another thread would take longer. */
const minThreadBytes = 50_000;

interface DebugLogsOptions {
  readonly folder: string;
  readonly maxAgeMs: number;
  readonly shares: LogShares;
}

/**
 * Opens the store and deletes logs older than `maxAgeMs`, now and at least every ten minutes. `maxBytes`: the size of the logs of an
 * account.
 */
export async function openDebugLogs(
  folder: string,
  maxAgeMs: number,
  maxBytes = Infinity,
): Promise<DebugLogs> {
  // The name of a log is the secret that gives access to it, so other users must not list the folder.
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await chmod(folder, 0o700);
  await deleteExpired(folder, maxAgeMs);
  return new DebugLogs({ folder, maxAgeMs, shares: new LogShares({ folder, maxBytes }) });
}

export class DebugLogs implements AsyncDisposable {
  readonly #options: DebugLogsOptions;
  readonly #areSharesRead: Promise<void>;
  readonly #threads = openThreadPool<RenderTask, RenderedLog>({
    filename: join(import.meta.dirname, 'render-worker.cjs'),
    minThreads: 1,
    maxThreads: 1,
  });
  /** Logs that are being copied to the archive. */
  readonly #copies = new Set<Promise<void>>();
  readonly #timer: NodeJS.Timeout;
  #archive: DebugLogArchive | undefined;

  constructor(options: DebugLogsOptions) {
    this.#options = options;
    this.#areSharesRead = options.shares.readFolder();
    this.#timer = setInterval(() => void this.#sweep(), Math.min(options.maxAgeMs, sweepIntervalMs)).unref();
  }

  /** From now on, copies each log to the archive when it ends, and reads logs of other nodes from it. */
  useArchive(archive: DebugLogArchive): void {
    this.#archive = archive;
  }

  /** Opens a log. When it ends, the oldest ones of the account are deleted if its logs exceed the share of an account. */
  open(recorded: boolean, account: string): DebugLog {
    if (!recorded) return new DebugLog();
    const id = randomBytes(20).toString('hex');
    const stream = createWriteStream(this.#pathOf(id), { mode: 0o600 });
    // If the disk is full, only the log is lost; the job continues.
    stream.on('error', () => stream.destroy());
    stream.once('finish', () => void this.#enforceShare(account, id, stream.bytesWritten).catch(() => {}));
    const archive = this.#archive;
    if (archive !== undefined) {
      const announced = archive.announce(id).catch(() => {});
      stream.once('finish', () => {
        this.#copyTo(archive, id, announced);
      });
    }
    return new DebugLog({ id, stream });
  }

  /** Resolves when the logs that have ended are in the archive, if there is one and it can be reached. */
  async copied(): Promise<void> {
    await Promise.all(this.#copies);
  }

  /** Returns the events of a log, or undefined if it is unknown or expired. */
  async read(id: string): Promise<readonly LogEvent[] | undefined> {
    const lines = await this.#linesOf(id);
    return lines && eventsIn(lines);
  }

  /** Returns a view of a log, or undefined if the log is unknown or expired. */
  async render(id: string, view: LogView): Promise<RenderedLog | undefined> {
    const lines = await this.#linesOf(id);
    return lines && (await this.renderLines(lines, view));
  }

  /** Returns the stored lines of a log of this node. Reads no database. */
  async readLocal(id: string): Promise<Buffer | undefined> {
    return idPattern.test(id) ? await readLog(this.#pathOf(id), this.#options.maxAgeMs) : undefined;
  }

  /** Returns the stored lines of a log in the archive. */
  async readArchived(id: string): Promise<Buffer | undefined> {
    if (this.#archive === undefined || !idPattern.test(id)) return undefined;
    return await readArchived(this.#archive, id, this.#options.maxAgeMs);
  }

  /** Returns a view of stored lines. A thread renders long logs. */
  async renderLines(lines: Buffer, view: LogView): Promise<RenderedLog> {
    if (lines.length <= minThreadBytes) return renderLog(lines, view);
    return await this.#threads.run({ log: lines, view }, { transferList: transferable([lines]) });
  }

  /** Deletes logs before they expire. */
  async remove(ids: readonly string[]): Promise<void> {
    const validIds = ids.filter((id) => idPattern.test(id));
    for (const id of validIds) {
      this.#options.shares.remove(id);
      await rm(this.#pathOf(id), { force: true }).catch(() => {});
    }
    await this.#archive?.remove(validIds).catch(() => {});
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#timer);
    await this.#threads[Symbol.asyncDispose]();
  }

  async #linesOf(id: string): Promise<Buffer | undefined> {
    return (await this.readLocal(id)) ?? (await this.readArchived(id));
  }

  #pathOf(id: string): string {
    return join(this.#options.folder, `${id}.jsonl`);
  }

  async #enforceShare(account: string, id: string, bytes: number): Promise<void> {
    await this.#areSharesRead;
    await this.remove(await this.#options.shares.add(account, id, bytes));
  }

  #copyTo(archive: DebugLogArchive, id: string, announced: Promise<void>): void {
    // If the database cannot be reached, only this node can show the log.
    const copied = announced.then(() => copy(this.#pathOf(id), id, archive)).catch(() => {});
    this.#copies.add(copied);
    void copied.then(() => this.#copies.delete(copied));
  }

  /** Never rejects: the next sweep tries again. */
  async #sweep(): Promise<void> {
    const { folder, maxAgeMs, shares } = this.#options;
    for (const id of await deleteExpired(folder, maxAgeMs)) shares.remove(id);
    await this.#archive?.removeOlderThan(maxAgeMs).catch(() => {});
  }
}

const compress = promisify(gzip);
const decompress = promisify(gunzip);

async function copy(path: string, id: string, archive: DebugLogArchive): Promise<void> {
  await archive.store(id, await compress(await readFile(path)));
}

const archiveRetryMs = 200;
const maxArchiveReads = 5;

/**
 * A log is copied just after the response, so a caller that asks another node at once may be earlier than the copy. Only an announced
 * log is read again: anyone may ask for an unknown one.
 */
async function readArchived(
  archive: DebugLogArchive,
  id: string,
  maxAgeMs: number,
): Promise<Buffer | undefined> {
  for (let reads = 1; ; reads += 1) {
    const bytes = await archive.read(id, maxAgeMs);
    if (bytes === undefined) return undefined;
    if (bytes !== 'announced') return await decompress(bytes);
    if (reads === maxArchiveReads) return undefined;
    await pause(archiveRetryMs);
  }
}

async function readLog(path: string, maxAgeMs: number): Promise<Buffer | undefined> {
  try {
    if (await isExpired(path, maxAgeMs)) return undefined;
    return await readFile(path);
  } catch {
    return undefined;
  }
}

/** Deletes expired logs, and returns their ids. Never rejects; the next call tries again to delete files that could not be deleted. */
async function deleteExpired(folder: string, maxAgeMs: number): Promise<string[]> {
  const names = await readdir(folder).catch(() => []);
  const expired: string[] = [];
  for (const name of names.filter((candidate) => candidate.endsWith('.jsonl'))) {
    const path = join(folder, name);
    if (!(await isExpired(path, maxAgeMs).catch(() => false))) continue;
    await rm(path, { force: true }).catch(() => {});
    expired.push(name.slice(0, -'.jsonl'.length));
  }
  return expired;
}

async function isExpired(path: string, maxAgeMs: number): Promise<boolean> {
  return Date.now() - (await stat(path)).mtimeMs > maxAgeMs;
}
