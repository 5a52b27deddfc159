/** What runs have made, for their accounts to look at and to save: kept for a while, in files nobody else reads. */
import { randomBytes } from 'node:crypto';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

export interface Outputs {
  /** Returns an id that cannot be guessed. @throws Error when it cannot be written */
  readonly keep: (output: NewOutput) => Promise<string>;
  /** Undefined for one that is unknown, gone or another account's. */
  readonly find: (id: string, account: number) => KeptOutput | undefined;
  /** Never rejects. */
  readonly remove: (id: string) => Promise<void>;
}

export interface NewOutput {
  /** Id of the account whose it is. */
  readonly account: number;
  readonly bytes: Buffer;
  /** Media type. */
  readonly type: string;
  /** For whoever saves it. */
  readonly name: string;
}

export interface KeptOutput extends Pick<NewOutput, 'account' | 'type' | 'name'> {
  /** Absolute. */
  readonly path: string;
  /** Bytes. */
  readonly size: number;
}

export interface OutputLimits {
  /** Milliseconds for which one is kept. */
  readonly time: number;
  /** Of one account. */
  readonly outputs: number;
  /** Of all together. */
  readonly bytes: number;
}

export const usualLimits: OutputLimits = { time: 3_600_000, outputs: 40, bytes: 1_000_000_000 };

type Entry = KeptOutput & { readonly expiry: NodeJS.Timeout };

/** In a folder that is made when it is needed, and that is empty after a restart. */
export function openOutputs(folder: string, limits = usualLimits): Outputs {
  // In the order of their age.
  const kept = new Map<string, Entry>();
  const remove = async (id: string) => {
    const entry = kept.get(id);
    if (entry === undefined) return;
    kept.delete(id);
    clearTimeout(entry.expiry);
    await discard(entry.path);
  };
  return {
    async keep({ bytes, ...facts }) {
      const output = { ...facts, size: bytes.length };
      for (const id of beyond(limits, kept, output)) await remove(id);
      const id = randomBytes(20).toString('hex');
      const path = join(folder, id);
      await write(path, bytes, folder);
      const expiry = setTimeout(() => void remove(id), limits.time).unref();
      kept.set(id, { ...output, path, expiry });
      return id;
    },
    find(id, account) {
      const entry = kept.get(id);
      return entry?.account === account ? entry : undefined;
    },
    remove,
  };
}

/** Those that go so that there is room for the new one: the oldest, and an account's own before it has half of all room. */
function beyond(
  limits: OutputLimits,
  kept: ReadonlyMap<string, Entry>,
  { account, size }: Pick<Entry, 'account' | 'size'>,
): string[] {
  let all = size;
  const own = { outputs: 1, bytes: size };
  // The newest are the ones to stay.
  return [...kept].reverse().flatMap(([id, entry]) => {
    const isOwn = entry.account === account;
    const fits = own.outputs < limits.outputs && own.bytes + entry.size <= limits.bytes / 2;
    if (all + entry.size > limits.bytes || (isOwn && !fits)) return [id];
    all += entry.size;
    if (isOwn) [own.outputs, own.bytes] = [own.outputs + 1, own.bytes + entry.size];
    return [];
  });
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

/** Windows deletes nothing that somebody reads just now; what is left then goes with the next start. */
async function discard(path: string): Promise<void> {
  await rm(path, { force: true, maxRetries: 3 }).catch(() => {});
}
