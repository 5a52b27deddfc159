/** Temporary folders of commands. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface TemporaryFolder extends AsyncDisposable {
  /** Absolute path. */
  readonly path: string;
}

/** Creates a folder that only the current user can access (mkdtemp). `purpose`: the middle of its name, such as `convert`. */
export async function openTemporaryFolder(purpose: string): Promise<TemporaryFolder> {
  const path = await mkdtemp(join(tmpdir(), `platen-${purpose}-`));
  return {
    path,
    // On Windows, the files of a process stay locked for a moment after its exit.
    [Symbol.asyncDispose]: () =>
      rm(path, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 }).catch(() => {}),
  };
}
