/** A folder for one run of `platen convert`, among the temporary ones: standard input, archives, the data folder of its Electron. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface OwnFolder extends AsyncDisposable {
  /** Absolute. */
  readonly path: string;
}

/** Nobody else may look into it. */
export async function openOwnFolder(): Promise<OwnFolder> {
  const path = await mkdtemp(join(tmpdir(), 'platen-convert-'));
  return {
    path,
    // Windows lets go of the files of a process that has ended a moment later.
    [Symbol.asyncDispose]: () =>
      rm(path, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 }).catch(() => {}),
  };
}
