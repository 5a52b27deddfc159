/** Runs clean-up functions when a command ends early: by Ctrl-C, by a signal, by process.exit. */

const SIGNALS = /** @type {const} */ ({ SIGHUP: 129, SIGINT: 130, SIGTERM: 143 });

/** @type {Set<() => void>} */
const tidying = new Set();

/**
 * Registers a synchronous function to run when the process ends.
 * @param {() => void} tidy
 * @returns {() => void} removes the registration
 */
export function whenEnding(tidy) {
  if (tidying.size === 0) listen();
  tidying.add(tidy);
  return () => {
    tidying.delete(tidy);
    if (tidying.size === 0) stopListening();
  };
}

function listen() {
  process.on('exit', tidyAll);
  for (const signal of Object.keys(SIGNALS)) process.on(signal, endBySignal);
}

/** The command line that runs next in the same process has its own handlers. */
function stopListening() {
  process.off('exit', tidyAll);
  for (const signal of Object.keys(SIGNALS)) process.off(signal, endBySignal);
}

/** @param {keyof typeof SIGNALS} signal */
function endBySignal(signal) {
  process.exit(SIGNALS[signal]);
}

function tidyAll() {
  for (const tidy of tidying) {
    try {
      tidy();
    } catch {
      // Ignored: the next set-up removes leftovers.
    }
  }
}
