/** Runs clean-up functions when the process exits early: by Ctrl-C, another signal or process.exit. */

const SIGNALS = /** @type {const} */ ({ SIGHUP: 129, SIGINT: 130, SIGTERM: 143 });

/** @type {Set<() => void>} */
const cleanUps = new Set();

/**
 * Registers a synchronous function to run when the process ends.
 * @param {() => void} cleanUp
 * @returns {() => void} removes the registration
 */
export function onExit(cleanUp) {
  if (cleanUps.size === 0) listen();
  cleanUps.add(cleanUp);
  return () => {
    cleanUps.delete(cleanUp);
    if (cleanUps.size === 0) stopListening();
  };
}

function listen() {
  process.on('exit', runCleanUps);
  for (const signal of Object.keys(SIGNALS)) process.on(signal, endBySignal);
}

/** Removes the handlers, because the command line that then runs in the same process installs other handlers. */
function stopListening() {
  process.off('exit', runCleanUps);
  for (const signal of Object.keys(SIGNALS)) process.off(signal, endBySignal);
}

/** @param {keyof typeof SIGNALS} signal */
function endBySignal(signal) {
  process.exit(SIGNALS[signal]);
}

function runCleanUps() {
  for (const cleanUp of cleanUps) {
    try {
      cleanUp();
    } catch {
      // Ignored: the next set-up removes leftovers.
    }
  }
}
