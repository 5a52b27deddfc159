/** Runs that follow the call: after a moment of quiet, one at a time, the newest call always the last to be run. */

export interface LiveRuns {
  /** The call is another one, or what it names on the disk was saved. */
  readonly changed: () => void;
  /** Starts nothing more; a run under way goes on. */
  readonly stop: () => void;
}

export interface Following {
  /** Milliseconds without a change before a run begins, asked at each change. */
  readonly quiet: () => number;
  readonly start: () => UnderWay;
}

export interface UnderWay {
  /** Resolves when it is over, however it ended. */
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
