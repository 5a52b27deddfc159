/**
 * Debug logs that are about to have their last line: how a job ended is known when its last byte is out, and whoever reads the
 * log in that moment is to find it whole.
 */
import { EventEmitter, once } from 'node:events';

export interface ClosingLogs {
  /** The last byte of its job's answer goes out. */
  readonly begin: (id: string | undefined) => void;
  /** It has its last line. */
  readonly end: (id: string | undefined) => void;
  /** Resolves when it is not closing, or after a moment. */
  readonly closed: (id: string) => Promise<void>;
}

/** Longest wait of a reader, in milliseconds. */
const moment = 1000;

export function watchClosingLogs(): ClosingLogs {
  const closing = new Set<string>();
  const ends = new EventEmitter().setMaxListeners(0);
  return {
    begin(id) {
      if (id !== undefined) closing.add(id);
    },
    end(id) {
      if (id !== undefined && closing.delete(id)) ends.emit(id);
    },
    async closed(id) {
      if (closing.has(id)) await once(ends, id, { signal: AbortSignal.timeout(moment) }).catch(() => {});
    },
  };
}
