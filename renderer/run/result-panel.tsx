/** The output of the run that is shown, or how far it has come. */
export function ResultPanel() {
  return null;
}
