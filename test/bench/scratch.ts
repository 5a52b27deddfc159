/** A temporary folder for the files of a run, which is also removed if the run is interrupted. */
import { rmSync } from 'node:fs';
import { temporaryFolder } from '../support/service/service.ts';

export interface Scratch extends Disposable {
  readonly folder: string;
}

export function openScratch(): Scratch {
  const folder = temporaryFolder();
  const remove = () => {
    // Retries, because a process that is ending may still write to the folder.
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  };
  process.once('exit', remove);
  return {
    folder,
    [Symbol.dispose]() {
      process.off('exit', remove);
      remove();
    },
  };
}
