/** Runs clean-up functions when the process ends early: because of a signal, such as Ctrl-C, or process.exit. */

const signals = /** @type {const} */ ({ SIGHUP: 129, SIGINT: 130, SIGTERM: 143 });

/** @type {Set<() => void>} */
const cleanUps = new Set();

/**
 * Registers a synchronous function to run when the process ends.
 * @param {() => void} cleanUp
 * @returns {() => void} a function that removes the registration
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
  // Before other listeners, because build/test.mjs removes the folder of all temporary files.
  process.prependListener('exit', runCleanUps);
  for (const signal of Object.keys(signals)) process.on(signal, endBySignal);
}

/** Removes the handlers, because the command line, which may run later in the same process, installs other handlers. */
function stopListening() {
  process.off('exit', runCleanUps);
  for (const signal of Object.keys(signals)) process.off(signal, endBySignal);
}

/** @param {keyof typeof signals} signal */
function endBySignal(signal) {
  process.exit(signals[signal]);
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
