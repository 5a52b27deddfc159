/** The form of all options, made from the table. */
export function OptionsPanel() {
  return null;
}
