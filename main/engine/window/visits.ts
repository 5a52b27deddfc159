/**
 * Replies to page-preload.ts in every new frame of a window, and records which origins the current job has visited. Apart from
 * replies to page-calls.ts, no other IPC channel is open to the renderers of jobs.
 */
import type { WebContents } from 'electron';
import { visitChannel, type VisitReply } from '../page-scripts/preload-channels.ts';

export interface Visits {
  /** Deletes the visits and the program of the previous job. */
  readonly begin: () => void;
  /** The script that runs first in every new document, if any. */
  documentScript: string | undefined;
  /** The number of further iframes in whose empty document the script runs. */
  emptyFramesLeft: number;
}

/** More iframes than a page has. A page that creates them in a loop must not make the service send the script for each of them. */
const maxEmptyFrames = 200;

/**
 * Maximum number of recorded origins, more than a page has. Further origins are not recorded, so each visit counts as the first.
 */
const maxOrigins = 1000;
/** Maximum length of a recorded origin, more than a scheme, a host name and a port have. */
const maxOriginLength = 300;

/**
 * Replies to frames of this window only. Does not trust their messages, because a page may have compromised its renderer. `sheet`:
 * see VisitReply.
 */
export function watchVisits(contents: Pick<WebContents, 'ipc'>, styleSheet: string): Visits {
  let visitedOrigins = new Set<string>();
  contents.ipc.on(visitChannel, (event, origin: unknown) => {
    const isFirst = typeof origin !== 'string' || !visitedOrigins.has(origin);
    // The renderer is blocked until it gets a reply.
    event.returnValue = { isFirst, styleSheet, script: visits.documentScript } satisfies VisitReply;
    if (typeof origin !== 'string' || origin.length > maxOriginLength || visitedOrigins.size >= maxOrigins)
      return;
    visitedOrigins.add(origin);
  });
  const visits: Visits = {
    begin() {
      visitedOrigins = new Set();
      visits.documentScript = undefined;
      visits.emptyFramesLeft = maxEmptyFrames;
    },
    documentScript: undefined,
    emptyFramesLeft: maxEmptyFrames,
  };
  return visits;
}
