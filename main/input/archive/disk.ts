/**
 * Writes files and folders, a little later. Creating a file costs far more than checking one, so an archive of tiny files
 * that is refused at its ten thousandth name has not cost a single file.
 */
import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { refusal, shown } from './refusal.ts';

export interface FileWriter {
  write(bytes: Uint8Array): void;
  end(): void;
}

export interface Disk {
  /** Its parent was added before. */
  addFolder(path: string): void;
  addFile(path: string): FileWriter;
  /** Writes what still waits. */
  flush(): void;
}

/** Nothing is written through a path that is there already. */
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
          if (bytes.length < largeWrite) {
            // A copy, as a small piece would keep the large one it was cut from in memory.
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

const largeWrite = 1_000_000;
const mostWaiting = 16_000_000;
/** In bytes, of a waiting write itself, roughly. */
const overhead = 300;

function openQueue(): { add(bytes: number, write: () => void): void; flush(): void } {
  let writes: (() => void)[] = [];
  let waiting = 0;
  const flush = (): void => {
    for (const write of writes) write();
    [writes, waiting] = [[], 0];
  };
  return {
    add(bytes, write) {
      writes.push(write);
      waiting += bytes + overhead;
      if (waiting > mostWaiting) flush();
    },
    flush,
  };
}

function writeAll(descriptor: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length;) at += writeSync(descriptor, bytes, at);
}

/** @throws Failure archiveUnusable for names this file system cannot hold; other errors as they are. */
function create<Made>(path: string, make: () => Made): Made {
  try {
    return make();
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (!['ENAMETOOLONG', 'EEXIST', 'EINVAL', 'ENOENT', 'EILSEQ'].includes(String(code))) throw error;
    const why = code === 'ENAMETOOLONG' ? 'has too long a path' : 'has a name that cannot be used here';
    throw refusal(`The archive's entry ${shown(path)} ${why}; rename it.`, error);
  }
}
