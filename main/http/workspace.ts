/** A folder for one job: its uploads, what is unpacked of them, what its steps write down. */
import { mkdir, rm } from 'node:fs/promises';

export interface Workspace extends AsyncDisposable {
  readonly folder: string;
}

/** Makes the folder; it goes with the job. */
export async function openWorkspace(folder: string): Promise<Workspace> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  return { folder, [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true, maxRetries: 3 }) };
}
