/** Remembers which origins a job has visited in a window, for page-preload.ts. */
import type { WebContents } from 'electron';
import { firstVisitChannel } from './visit-channel.ts';

export interface Visits {
  /** Forgets the visits of the job before. */
  readonly begin: () => void;
}

export function watchVisits(contents: WebContents): Visits {
  let visited = new Set<string>();
  contents.ipc.on(firstVisitChannel, (event, origin: unknown) => {
    const key = String(origin);
    event.returnValue = !visited.has(key);
    visited.add(key);
  });
  return {
    begin() {
      visited = new Set();
    },
  };
}
