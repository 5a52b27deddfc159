/** A place in a record that nobody keeps: it reserves nothing, costs nothing and writes nothing. */
import type { JobEntry } from '../accounts/job-entry.ts';

export function freeEntry(): JobEntry {
  return {
    require() {},
    hold: (price) => Promise.resolve({ consumed: price }),
    describe: async () => {},
    charge(_stages, acknowledge) {
      acknowledge();
      return Promise.resolve();
    },
    fail: async () => {},
    refund: async () => {},
    [Symbol.asyncDispose]: async () => {},
  };
}
