/**
 * Answers the frames of a window as they arrive, for page-preload.ts: remembers which origins a job has visited. The only channel a renderer
 * can speak on.
 */
import type { WebContents } from 'electron';
import { arrivalChannel, type Arrival } from './visit-channel.ts';

export interface Visits {
  /** Forgets the visits of the job before. */
  readonly begin: () => void;
}

/** More origins than a page has; what comes later is told anew each time that this is its first visit. */
const mostOrigins = 1000;
/** More characters than a scheme, a host name and a port have. */
const longestOrigin = 300;

/** Hears the frames of this window alone, and whatever they say: a page may have taken over its renderer. `sheet`: see Arrival. */
export function watchVisits(contents: Pick<WebContents, 'ipc'>, sheet: string): Visits {
  let visited = new Set<string>();
  contents.ipc.on(arrivalChannel, (event, origin: unknown) => {
    const isFirst = typeof origin !== 'string' || !visited.has(origin);
    // Without an answer the renderer would hang.
    event.returnValue = { isFirst, sheet } satisfies Arrival;
    if (typeof origin !== 'string' || origin.length > longestOrigin || visited.size >= mostOrigins) return;
    visited.add(origin);
  });
  return {
    begin() {
      visited = new Set();
    },
  };
}
