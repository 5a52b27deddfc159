/** How many sources are converted at once, all hot folders together, and the rests in between when the service has too much to do. */
import { pause } from '../signals.ts';

export interface Turns {
  /** Waits for a turn; what it gives ends it. Who comes first goes first. @throws the signal's reason */
  readonly enter: (signal: AbortSignal) => Promise<() => void>;
  /** Nobody's turn begins for so many milliseconds. */
  readonly rest: (milliseconds: number) => void;
}

export function openTurns(most: number): Turns {
  let [free, restsUntil] = [most, 0];
  const line: (() => void)[] = [];
  const leave = () => {
    const next = line.shift();
    if (next === undefined) free += 1;
    else next();
  };
  return {
    async enter(signal) {
      if (free > 0) free -= 1;
      else await new Promise<void>((resolve) => line.push(resolve));
      try {
        while (restsUntil > performance.now()) await pause(restsUntil - performance.now(), signal);
        signal.throwIfAborted();
      } catch (problem) {
        leave();
        throw problem;
      }
      return leave;
    },
    rest(milliseconds) {
      restsUntil = Math.max(restsUntil, performance.now() + milliseconds);
    },
  };
}
