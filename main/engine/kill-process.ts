/** The end of a process of Chromium's by its number, where it does not end when it is told. */

/** At once. Nothing happens when it has gone meanwhile. */
export function killProcess(processId: number): void {
  try {
    process.kill(processId, 'SIGKILL');
  } catch {
    // It has gone.
  }
}
