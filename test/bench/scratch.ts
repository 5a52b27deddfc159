/** A folder for the files of a run, gone with it, also when the run is broken off. */
import { rmSync } from 'node:fs';
import { temporaryFolder } from '../support/service.ts';

export interface Scratch extends Disposable {
  readonly folder: string;
}

export function openScratch(): Scratch {
  const folder = temporaryFolder();
  const remove = () => {
    // Who is just being ended may still write into it.
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
