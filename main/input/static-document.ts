/**
 * Tests conservatively whether a document is static: only text and styles, no scripts, subresources, forms or relative links. A
 * static document can be written into an open page, which is much faster than a navigation
 * (docs/decisions/0035-inline-documents.md). A wrong "no" costs milliseconds. After a wrong "yes", the policy of that page blocks
 * the content and reports it.
 */
import { isUtf8 } from 'node:buffer';
import type { PreparedDocument } from './source.ts';

/** For longer documents a navigation takes little time compared with layout and printing. */
const maxStaticBytes = 1_000_000;

/** A document that matches one of these may not be static. They run in linear time. A match in plain text only costs time. */
const dynamicPatterns: readonly RegExp[] = [
  // Elements that load something, take input, or affect the document as a whole.
  /<\s*\/?(?:svg:)?(?:link|base|form|input|select|textarea|button|video|audio|source|track|picture|canvas|template|noscript|plaintext|marquee|map|use|image|feimage|animate\w*|discard|math|xml)\b/i,
  // Attributes that load something or change how it is loaded.
  /srcset|poster\s*=|background\s*=|manifest\s*=|ping\s*=|loading\s*=|autofocus|shadowroot/i,
  // A style element with other attributes: a title makes it an alternative style sheet.
  /<\s*style(?!\s*(?:(?:type|media)\s*=\s*["'][^"'<>]{0,100}["']\s*){0,2}>)/i,
  // Images must be data URLs, and links must be absolute or within the document.
  /src\s*=\s*(?!["']?data:image\/)/i,
  /href\s*=\s*(?!["']?(?:#|https?:|mailto:|tel:))/i,
  /url\(\s*(?!["']?(?:data:|#))/i,
  /@import|image-set|\b(?:image|src)\s*\(/i,
  // Escapes that hide names from the patterns above (CSS Syntax 3, 4.3.7; HTML, 13.5).
  /\\[^"'\n;{}]{0,40}\(|@[\w-]*\\/,
  /&(?:lpar|colon|bsol|sol|tab|newline|period|commat|num|excl|equals|lowbar|hyphen|dash)\b/i,
  /&#(?:x0*(?!2[267]|3[ce])[0-7]?[0-9a-f](?![0-9a-f])|0*(?!3[489]|6[02])(?:\d{1,2}|1[01]\d|12[0-7])(?!\d))/i,
];

const metaPattern = /<\s*meta\b/gi;
const harmlessMetaPattern =
  /<meta\s+(?:charset\s*=\s*["']?utf-?8["']?|name\s*=\s*["']?(?:viewport|author|description|keywords|generator|robots|date|copyright)["']?\s+content\s*=\s*(?:"[^"<>]*"|'[^'<>]*'))\s*\/?>/gi;

/** Returns the text of a static document, or undefined if it may not be static. `mayRun` is the result of mayRunScripts. */
export function staticDocumentText(
  { bytes, contentType, files }: Pick<PreparedDocument, 'bytes' | 'contentType' | 'files'>,
  mayRun: boolean,
): string | undefined {
  if (mayRun || files !== undefined || bytes.length > maxStaticBytes || !isKnownUtf8(bytes, contentType))
    return undefined;
  const searched = textToSearch(bytes);
  if (searched === undefined || dynamicPatterns.some((pattern) => pattern.test(searched))) return undefined;
  const count = (pattern: RegExp) => searched.match(pattern)?.length ?? 0;
  return count(metaPattern) === count(harmlessMetaPattern) ? new TextDecoder().decode(bytes) : undefined;
}

/** Returns true if the Content-Type says UTF-8, or the document declares it within the bytes that browsers prescan. */
function isKnownUtf8(bytes: Buffer, contentType: string): boolean {
  if (!isUtf8(bytes)) return false;
  if (contentType === 'text/html; charset=utf-8') return true;
  const head = bytes.toString('latin1', 0, 1024);
  return contentType === 'text/html' && /<meta\s+charset\s*=\s*["']?utf-?8\b/i.test(head);
}

const scriptPattern =
  /<\s*(?:script|iframe|frame|frameset|object|embed|applet|portal|fencedframe|animate|set)\b|[\s"'/<]on[a-z]+\s*=|javascript\s*:|http-equiv|<\?xml-stylesheet|srcdoc/i;

/**
 * Tests conservatively whether a document may run a script. Returns true for a document that is not searched. A wrong "yes" costs
 * milliseconds; after a wrong "no", the document's policy (`script-src 'none'`) blocks the script.
 */
export function mayRunScripts(bytes: Buffer): boolean {
  const text = textToSearch(bytes);
  return text === undefined || scriptPattern.test(text);
}

// The text that both tests search: the document without its long base64 data.

/** Longer documents are not searched, because their conversion is so slow that the result makes no difference. */
const maxBytes = 30_000_000;

/** In characters, without base64 data. */
const maxSearchedLength = 4_000_000;

const base64Mark = 'base64,';

/** Every construct that loads, runs or links needs one of these characters. */
const significantBytes = Buffer.from('<=:(\\&@');

/** In bytes. Shorter runs without significant bytes stay in the text. */
const minRunLength = 1024;

/** Bytes to keep at each end of a run: a word there may belong to the significant character beside it. */
const keptBytes = 128;

/** Only a document that is made to slow down the search has more. */
const maxMarks = 10_000;

/**
 * Returns one character for each byte. Undefined for documents that are too long, and for UTF-16, in which ASCII patterns
 * match nothing.
 */
function textToSearch(bytes: Buffer): string | undefined {
  if (bytes.length > maxBytes || bytes.includes(0)) return undefined;
  const text = withoutData(bytes);
  return text.length > maxSearchedLength ? undefined : text;
}

function withoutData(bytes: Buffer): string {
  const parts: string[] = [];
  const endOfRun = runEndFinder(bytes);
  let from = 0;
  let marks = 0;
  for (let at = bytes.indexOf(base64Mark); at !== -1 && marks < maxMarks; marks += 1) {
    const start = at + base64Mark.length;
    const end = endOfRun(start);
    if (end - start > minRunLength) {
      parts.push(bytes.toString('latin1', from, start + keptBytes));
      from = end - keptBytes;
    }
    at = bytes.indexOf(base64Mark, end);
  }
  return parts.join('') + bytes.toString('latin1', from);
}

/** Returns a function that finds the next significant byte. Its starts must only increase, so that it scans the bytes once. */
function runEndFinder(bytes: Buffer): (start: number) => number {
  const nextOffsets = Array.from(significantBytes, () => -1);
  return (start) => {
    for (const [index, byte] of significantBytes.entries()) {
      if ((nextOffsets[index] ?? 0) >= start) continue;
      const found = bytes.indexOf(byte, start);
      nextOffsets[index] = found === -1 ? bytes.length : found;
    }
    return Math.min(...nextOffsets);
  };
}
