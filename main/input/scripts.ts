/**
 * The conservative test whether a document could run a script. Whatever is in doubt runs some: a wrong "yes" costs
 * milliseconds, and a wrong "no" is caught by the document's policy (`script-src 'none'`), which would stop the script.
 */

/** Longer documents are not searched: where the answer matters for speed, documents are short. */
const longestSearched = 4_000_000;

const scriptBearing =
  /<\s*(?:script|iframe|frame|frameset|object|embed|applet|portal|fencedframe|animate|set)\b|[\s"'/<]on[a-z]+\s*=|javascript\s*:|http-equiv|<\?xml-stylesheet|srcdoc/i;

/** True unless nothing in the document could run. Also true for UTF-16, where ASCII patterns find nothing. */
export function mayRunScripts(bytes: Buffer): boolean {
  if (bytes.length > longestSearched) return true;
  const source = bytes.toString('latin1');
  return source.includes('\0') || scriptBearing.test(source);
}
