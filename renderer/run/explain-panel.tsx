/** What explains the run that is shown. */
export function ExplainPanel() {
  return null;
}
