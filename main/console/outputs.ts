/**
 * Stores the outputs of console runs for their accounts, for a limited time, in files that only the service can read. If several nodes
 * share a database, an output is also stored there, and a node that has no file gets it from there.
 */
import { randomBytes } from 'node:crypto';
import { mkdir, rm, writeFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Account } from '../accounts/account.ts';
import { ConcurrencyLimiter } from '../async/concurrency-limiter.ts';
import { Failure } from '../failure/failure.ts';

export interface Outputs {
  /** Stores an output and returns an id that cannot be guessed. @throws Error if the output cannot be written */
  readonly store: (output: NewOutput) => Promise<string>;
  /** Returns undefined for an output that is unknown, deleted or of another account. */
  readonly find: (id: string, account: number) => Promise<StoredOutput | undefined>;
  /** Deletes an output. Never rejects. */
  readonly remove: (id: string) => Promise<void>;
}

/** Outputs in a database that several nodes share. */
export interface OutputArchive {
  readonly store: (id: string, output: NewOutput, keepMs: number) => Promise<void>;
  readonly read: (id: string, account: number, keepMs: number) => Promise<NewOutput | undefined>;
  readonly remove: (id: string) => Promise<void>;
}

interface NewOutput {
  /** Id of the account that owns the output. */
  readonly account: number;
  readonly bytes: Buffer;
  /** Media type. */
  readonly type: string;
  /** Suggested file name. */
  readonly name: string;
}

interface StoredOutput extends Pick<NewOutput, 'account' | 'type' | 'name'> {
  /** Absolute path. */
  readonly path: string;
  /** Size in bytes. */
  readonly size: number;
}

interface OutputLimits {
  /** How long an output is kept, in milliseconds. */
  readonly keepMs: number;
  /** Maximum number of outputs of one account. */
  readonly outputs: number;
  /** Maximum size of all outputs together, in bytes. */
  readonly totalBytes: number;
}

export const defaultLimits: OutputLimits = { keepMs: 3_600_000, outputs: 40, totalBytes: 1_000_000_000 };

const idPattern = /^[0-9a-f]{40}$/;

type OutputEntry = StoredOutput & { readonly expiry: NodeJS.Timeout };

/** Opens the store. Creates the folder when the first output is stored. A restart of the service deletes all outputs. */
export function openOutputs(folder: string, limits = defaultLimits, archive?: OutputArchive): Outputs {
  // In the order of storing, the oldest first.
  const stored = new Map<string, OutputEntry>();
  const remove = async (id: string) => {
    const entry = stored.get(id);
    if (entry === undefined) return;
    stored.delete(id);
    clearTimeout(entry.expiry);
    await discard(entry.path);
    // The database deletes outputs that have expired with the next new one.
    await archive?.remove(id).catch(() => {});
  };
  // An output in memory may have 500 MB. Later requests for the same output find the file of the first one.
  const archiveReads = new ConcurrencyLimiter<number>(1);
  const keepFile = async (id: string, { bytes, ...facts }: NewOutput): Promise<StoredOutput> => {
    const output = { ...facts, size: bytes.length };
    for (const evicted of outputsToEvict(limits, stored, output)) await remove(evicted);
    const path = join(folder, id);
    await write(path, bytes, folder);
    const expiry = setTimeout(() => void remove(id), limits.keepMs).unref();
    const entry = { ...output, path, expiry };
    stored.set(id, entry);
    return entry;
  };
  return {
    async store(output) {
      const id = randomBytes(20).toString('hex');
      await keepFile(id, output);
      await archive?.store(id, output, limits.keepMs);
      return id;
    },
    async find(id, account) {
      const entry = stored.get(id);
      if (entry !== undefined) return entry.account === account ? entry : undefined;
      if (archive === undefined || !idPattern.test(id)) return undefined;
      return await archiveReads.run(account, async () => {
        const kept = stored.get(id);
        if (kept !== undefined) return kept.account === account ? kept : undefined;
        const archived = await archive.read(id, account, limits.keepMs);
        return archived && (await keepFile(id, archived));
      });
    },
    remove,
  };
}

/**
 * Returns the ids of the outputs to delete before a new one is stored: the oldest of the same account if there are too many of them,
 * and if all together exceed the byte limit, the oldest of the account whose outputs take the most space.
 */
function outputsToEvict(
  limits: OutputLimits,
  stored: ReadonlyMap<string, OutputEntry>,
  { account, size }: Pick<OutputEntry, 'account' | 'size'>,
): string[] {
  const kept = new Map(stored);
  const own = [...stored].filter(([, entry]) => entry.account === account);
  for (const [id] of own.slice(0, Math.max(0, own.length + 1 - limits.outputs))) kept.delete(id);
  for (;;) {
    const sizes = sizesByAccount([{ account, size }, ...kept.values()]);
    const totalBytes = [...sizes.values()].reduce((sum, bytes) => sum + bytes, 0);
    if (totalBytes <= limits.totalBytes) break;
    // Sorting keeps the order of storing.
    const [oldest] = [...kept].toSorted(
      ([, left], [, right]) => (sizes.get(right.account) ?? 0) - (sizes.get(left.account) ?? 0),
    );
    if (oldest === undefined) break;
    kept.delete(oldest[0]);
  }
  return [...stored.keys()].filter((id) => !kept.has(id));
}

function sizesByAccount(outputs: readonly Pick<OutputEntry, 'account' | 'size'>[]): Map<number, number> {
  const sizes = new Map<number, number>();
  for (const { account, size } of outputs) sizes.set(account, (sizes.get(account) ?? 0) + size);
  return sizes;
}

async function write(path: string, bytes: Buffer, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  try {
    await writeFile(path, bytes, { mode: 0o600, flag: 'wx' });
  } catch (problem) {
    await discard(path);
    throw problem;
  }
}

/** Deletes a file. Ignores errors: Windows cannot delete a file while it is read. The next start deletes the remaining files. */
async function discard(path: string): Promise<void> {
  await rm(path, { force: true, maxRetries: 3 }).catch(() => {});
}

// Reads a whole output into memory, for the desktop window, which does not stream.

export interface OutputWithBytes extends Pick<StoredOutput, 'name' | 'type'> {
  readonly bytes: Uint8Array;
}

/** Returns the output. @throws Failure notFound for an output that is unknown, deleted or of another account */
export type ReadOutput = (id: string, account: Account) => Promise<OutputWithBytes>;

export function outputReader(outputs: Pick<Outputs, 'find'>): ReadOutput {
  return async (id, account) => {
    const stored = await outputs.find(id, account.id);
    if (stored === undefined) throw notAvailable();
    const { name, type, path } = stored;
    const bytes = await readFile(path).catch((cause: unknown) => {
      throw notAvailable(cause);
    });
    return { name, type, bytes };
  };
}

function notAvailable(cause?: unknown): Failure {
  return new Failure('notFound', 'This output is no longer available; run the conversion again.', { cause });
}
