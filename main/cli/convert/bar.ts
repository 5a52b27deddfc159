/** One line at the foot of a terminal: how many are done, how fast it goes, how long it will take, what is under way. */
import { plain, secondsText } from './sentences.ts';

export interface Bar {
  readonly began: (name: string) => void;
  readonly ended: (kind: 'converted' | 'skipped' | 'failed') => void;
  readonly draw: () => void;
  readonly clear: () => void;
}

/** Milliseconds between two pictures of it: a terminal far away is slow. */
const pace = 100;
const width = 24;

export function openBar(total: number): Bar {
  const progress = { total, done: 0, worked: 0, name: '', since: performance.now() };
  let last = -Infinity;
  const draw = () => {
    const now = performance.now();
    if (now - last < pace && progress.done < total) return;
    last = now;
    const line = barLine({ ...progress, elapsed: now - progress.since }, process.stderr.columns || 80);
    process.stderr.write(`\r\u001b[K${line}`);
  };
  return {
    began(name) {
      progress.name = name;
      draw();
    },
    ended(kind) {
      progress.done += 1;
      if (kind !== 'skipped') progress.worked += 1;
    },
    draw,
    clear() {
      process.stderr.write('\r\u001b[K');
      last = -Infinity;
    },
  };
}

export interface Progress {
  readonly total: number;
  readonly done: number;
  /** Those of the done that were not skipped. */
  readonly worked: number;
  readonly name: string;
  /** Milliseconds. */
  readonly elapsed: number;
}

/** Cut to the terminal's width: a line that wraps could not be cleared. */
export function barLine({ total, done, worked, name, elapsed }: Progress, columns: number): string {
  const filled = Math.floor((done / total) * width);
  const picture = `[${'='.repeat(filled)}${' '.repeat(width - filled)}]`;
  const rate = worked === 0 ? undefined : worked / (elapsed / 1000);
  const speed =
    rate === undefined || done === total
      ? ''
      : `  ${rate.toFixed(1)}/s, ${secondsText(Math.ceil((total - done) / rate) * 1000)} to go`;
  const line = `${picture} ${done}/${total}${speed}  ${plain(name)}`;
  return Array.from(line)
    .slice(0, columns - 1)
    .join('');
}
