/** Draws one page at a time, the most urgent first, so that visible pages do not wait for thumbnails. */
import type { DrawingOrder, Urgency } from '../pages/sheets.ts';

export interface DrawingQueue {
  /** Settles with the work, or rejects if it is aborted before its turn. */
  readonly add: (work: () => Promise<void>, order: DrawingOrder) => Promise<void>;
}

interface Waiting {
  readonly urgency: Urgency;
  readonly begin: () => void;
}

const order: readonly Urgency[] = ['page', 'thumbnail', 'comparison'];

export function openDrawingQueue(): DrawingQueue {
  const waiting: Waiting[] = [];
  let working = false;
  const next = () => {
    const turn = working ? undefined : mostUrgent(waiting);
    if (turn === undefined) return;
    working = true;
    waiting.splice(waiting.indexOf(turn), 1);
    turn.begin();
  };
  return {
    async add(work, { urgency, signal }) {
      await new Promise<void>((resolve) => {
        waiting.push({ urgency, begin: resolve });
        next();
      });
      try {
        signal.throwIfAborted();
        await work();
      } finally {
        working = false;
        next();
      }
    },
  };
}

function mostUrgent(waiting: readonly Waiting[]): Waiting | undefined {
  for (const urgency of order) {
    const found = waiting.find((candidate) => candidate.urgency === urgency);
    if (found !== undefined) return found;
  }
  return undefined;
}
