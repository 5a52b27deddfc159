/**
 * Writes files and folders in batches. Creating a file costs much more than checking its name. An archive of tiny files that is
 * refused at its 10,000th name therefore creates no files.
 */
import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { refusal, quotedName } from './limits.ts';

export interface FileWriter {
  write(bytes: Uint8Array): void;
  end(): void;
}

export interface Disk {
  /** Queues the creation of a folder. Its parent folder must be added first. */
  addFolder(path: string): void;
  /** Queues the creation of a file. Its folder must be added first. */
  addFile(path: string): FileWriter;
  /** Performs all pending writes. */
  flush(): void;
}

/**
 * Returns a Disk that creates files and folders below `folder`. Its methods throw a Failure archiveUnusable if a path exists or
 * cannot be used on this file system.
 */
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

/** Writes of at least this size are performed immediately, after all pending writes. */
const minImmediateBytes = 1_000_000;
const maxPendingBytes = 16_000_000;
/** Approximate memory of a pending write in addition to its data, in bytes. */
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
  for (let offset = 0; offset < bytes.length;) offset += writeSync(descriptor, bytes, offset);
}

/** Calls `make`. @throws Failure archiveUnusable if the path exists or the file system forbids it; other errors of `make`. */
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
