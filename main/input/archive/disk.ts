/**
 * Writes files and folders with a delay. Creating a file costs much more than checking its name. An archive of tiny files
 * that is refused at its ten thousandth name therefore creates no files.
 */
import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { refusal, quotedName } from './limits.ts';

export interface FileWriter {
  write(bytes: Uint8Array): void;
  end(): void;
}

export interface Disk {
  /** Add the parent folder first. */
  addFolder(path: string): void;
  addFile(path: string): FileWriter;
  /** Performs all pending writes. */
  flush(): void;
}

/** Creates files and folders below `folder`. Throws if a path exists. */
export function openDisk(folder: string): Disk {
  const queue = openQueue();
  return {
    addFolder(path) {
      queue.add(0, () => {
        create(path, () => {
          mkdirSync(join(folder, path), 0o700);
        });
      });
    },
    addFile(path) {
      let descriptor = -1;
      queue.add(0, () => {
        descriptor = create(path, () => openSync(join(folder, path), 'wx', 0o600));
      });
      return {
        write(bytes) {
          if (bytes.length < minImmediateBytes) {
            // Copies the bytes, because a small slice would keep its large buffer in memory.
            const copy = Buffer.from(bytes);
            queue.add(copy.length, () => {
              writeAll(descriptor, copy);
            });
            return;
          }
          queue.flush();
          writeAll(descriptor, bytes);
        },
        end() {
          queue.add(0, () => {
            closeSync(descriptor);
          });
        },
      };
    },
    flush() {
      queue.flush();
    },
  };
}

/** Writes of at least this size are not delayed. */
const minImmediateBytes = 1_000_000;
const maxPendingBytes = 16_000_000;
/** Approximate memory of a pending write itself, in bytes. */
const writeOverheadBytes = 300;

function openQueue(): { add(bytes: number, write: () => void): void; flush(): void } {
  let writes: (() => void)[] = [];
  let pendingBytes = 0;
  const flush = (): void => {
    for (const write of writes) write();
    writes = [];
    pendingBytes = 0;
  };
  return {
    add(bytes, write) {
      writes.push(write);
      pendingBytes += bytes + writeOverheadBytes;
      if (pendingBytes > maxPendingBytes) flush();
    },
    flush,
  };
}

function writeAll(descriptor: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length;) at += writeSync(descriptor, bytes, at);
}

/** @throws Failure archiveUnusable for names that this file system does not allow; other errors unchanged. */
function create<T>(path: string, make: () => T): T {
  try {
    return make();
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (!['ENAMETOOLONG', 'EEXIST', 'EINVAL', 'ENOENT', 'EILSEQ'].includes(String(code))) throw error;
    const reason =
      code === 'ENAMETOOLONG' ? 'has a path that is too long' : 'has a name that cannot be used here';
    throw refusal(`The archive's entry ${quotedName(path)} ${reason}; rename it.`, error);
  }
}
