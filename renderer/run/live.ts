/** Runs that follow the call: debounced, one at a time, and always ending with the latest call. */

export interface LiveRuns {
  /** Call it when the call or its file on disk has changed. */
  readonly changed: () => void;
  /** Starts no more runs; a current run continues. */
  readonly stop: () => void;
}

export interface Following {
  /** Debounce in milliseconds, read at each change. */
  readonly quiet: () => number;
  readonly start: () => UnderWay;
}

export interface UnderWay {
  /** Resolves when the run has ended, successfully or not. */
  readonly over: Promise<void>;
  readonly cancel: () => void;
}

export function followCalls({ quiet, start }: Following): LiveRuns {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let running: UnderWay | undefined;
  let isWanted = false;
  const begin = () => {
    if (running !== undefined) {
      isWanted = true;
      running.cancel();
      return;
    }
    isWanted = false;
    const run = start();
    running = run;
    void run.over
      .catch(() => {})
      .then(() => {
        running = undefined;
        if (isWanted) begin();
      });
  };
  return {
    changed: () => {
      clearTimeout(timer);
      timer = setTimeout(begin, quiet());
    },
    stop: () => {
      clearTimeout(timer);
      isWanted = false;
    },
  };
}
