/** Owns what is tidied when a command ends early: by Ctrl-C, by a signal, by process.exit. */

const SIGNALS = /** @type {const} */ ({ SIGHUP: 129, SIGINT: 130, SIGTERM: 143 });

/** @type {Set<() => void>} */
const tidying = new Set();

/**
 * Has something done (synchronously) when the process ends.
 * @param {() => void} tidy
 * @returns {() => void} call it when there is nothing to tidy any more
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

/** The command line that follows in the same process has handlers of its own. */
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
      // Nobody is left to tell, and the next set-up sweeps.
    }
  }
}
