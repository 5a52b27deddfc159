/** The input of the call: HTML, an address, a file, a template with its data. */
export function CallInput() {
  return null;
}
