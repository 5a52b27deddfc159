/**
 * The conservative test whether a document could run a script. Whatever is in doubt runs some: a wrong "yes" costs
 * milliseconds, and a wrong "no" is caught by the document's policy (`script-src 'none'`), which would stop the script.
 */
import { textToSearch } from './search-text.ts';

const scriptBearing =
  /<\s*(?:script|iframe|frame|frameset|object|embed|applet|portal|fencedframe|animate|set)\b|[\s"'/<]on[a-z]+\s*=|javascript\s*:|http-equiv|<\?xml-stylesheet|srcdoc/i;

/** True unless nothing in the document could run. Also true for what is not searched. */
export function mayRunScripts(bytes: Buffer): boolean {
  const text = textToSearch(bytes);
  return text === undefined || scriptBearing.test(text);
}
