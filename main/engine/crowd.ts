/** Knows whether jobs come one at a time. It counts; it does not know what a job is. */

export interface Crowd {
  /** A job has come; disposed, it has gone. */
  readonly enter: () => Disposable;
  /** Whether nobody but one is here, or was a moment ago: then time taken now is nobody else's. */
  readonly isOne: () => boolean;
}

/** Milliseconds; of two who come again and again, one is alone now and then. */
const moment = 1000;

export function openCrowd(now: () => number = performance.now.bind(performance)): Crowd {
  let here = 0;
  let crowdedAt = -Infinity;
  return {
    enter() {
      here += 1;
      return {
        [Symbol.dispose]() {
          if (here > 1) crowdedAt = now();
          here -= 1;
        },
      };
    },
    isOne: () => here <= 1 && now() - crowdedAt > moment,
  };
}
