/** Automatic runs of live mode: debounced, and one at a time. The last run always uses the latest request. */

interface LiveRuns {
  /** To be called when the request or its file on disk has changed. */
  readonly onChange: () => void;
  /** Cancels the pending run. A run in progress continues. */
  readonly stop: () => void;
}

interface LiveRunOptions {
  /** Debounce in milliseconds, read at each change. */
  readonly debounceMs: () => number;
  readonly start: () => RunHandle;
}

export interface RunHandle {
  /** Resolves when the run has ended, successfully or not. */
  readonly ended: Promise<void>;
  readonly cancel: () => void;
}

export function openLiveRuns({ debounceMs, start }: LiveRunOptions): LiveRuns {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let running: RunHandle | undefined;
  let isNextRunNeeded = false;
  const startNext = () => {
    if (running !== undefined) {
      isNextRunNeeded = true;
      running.cancel();
      return;
    }
    isNextRunNeeded = false;
    const run = start();
    running = run;
    void run.ended
      .catch(() => {})
      .then(() => {
        running = undefined;
        if (isNextRunNeeded) startNext();
      });
  };
  return {
    onChange: () => {
      clearTimeout(timer);
      timer = setTimeout(startNext, debounceMs());
    },
    stop: () => {
      clearTimeout(timer);
      isNextRunNeeded = false;
    },
  };
}
