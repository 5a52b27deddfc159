/** Draws one page at a time, the most urgent first, so that visible pages do not wait for thumbnails. */
import type { DrawingOptions, DrawingPriority } from '../pages/sheets.ts';

interface DrawingQueue {
  /** Runs the work when it is its turn, and settles as the work does. Rejects if the signal aborts before the work starts. */
  readonly add: (work: () => Promise<void>, order: DrawingOptions) => Promise<void>;
}

interface Waiting {
  readonly urgency: DrawingPriority;
  readonly begin: () => void;
}

const urgencies: readonly DrawingPriority[] = ['page', 'thumbnail', 'comparison'];

export function openDrawingQueue(): DrawingQueue {
  const waiting: Waiting[] = [];
  let isBusy = false;
  const startNext = () => {
    const next = isBusy ? undefined : mostUrgent(waiting);
    if (next === undefined) return;
    isBusy = true;
    waiting.splice(waiting.indexOf(next), 1);
    next.begin();
  };
  return {
    async add(work, { urgency, signal }) {
      await new Promise<void>((resolve) => {
        waiting.push({ urgency, begin: resolve });
        startNext();
      });
      try {
        signal.throwIfAborted();
        await work();
      } finally {
        isBusy = false;
        startNext();
      }
    },
  };
}

function mostUrgent(waiting: readonly Waiting[]): Waiting | undefined {
  for (const urgency of urgencies) {
    const found = waiting.find((candidate) => candidate.urgency === urgency);
    if (found !== undefined) return found;
  }
  return undefined;
}
