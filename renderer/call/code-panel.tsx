/** The call as code to copy. */
export function CodePanel() {
  return null;
}
