/** Starts and cancels runs, and says how the shown one went. */
export function RunBar() {
  return null;
}
