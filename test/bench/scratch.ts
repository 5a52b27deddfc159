/** A temporary folder for the files of a run, also removed when the run is interrupted. */
import { rmSync } from 'node:fs';
import { temporaryFolder } from '../support/service.ts';

export interface Scratch extends Disposable {
  readonly folder: string;
}

export function openScratch(): Scratch {
  const folder = temporaryFolder();
  const remove = () => {
    // A process that is ending may still write into it.
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
