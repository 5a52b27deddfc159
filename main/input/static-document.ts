/**
 * Tests conservatively whether a document is static: only text and styles, no scripts, subresources, forms or relative links. A
 * static document can be written into an open page, which is much faster than a navigation
 * (docs/decisions/0035-inline-documents.md). A wrong "no" costs milliseconds. After a wrong "yes", the Content-Security-Policy of
 * the open page blocks the dynamic content and reports it.
 */
import { isUtf8 } from 'node:buffer';
import type { OptionName } from '../job/options.ts';
import type { PreparedDocument, Source, StaticText } from './source.ts';

/**
 * Maximum length of a static document in characters, without long base64 data. With more text, navigation takes little time compared
 * with layout and printing.
 */
const maxStaticLength = 1_000_000;

/** Maximum size of a static document. Writing a megabyte into a page blocks the main thread for about 3 ms. */
const maxStaticBytes = 4_000_000;

/**
 * A document that matches one of these patterns is treated as dynamic. A match in plain text instead of markup costs only the time
 * of a navigation. The patterns run in linear time.
 */
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
  /\\[^"'\n;{}\\]{0,40}\(|@[\w-]*\\/,
  /&(?:lpar|colon|bsol|sol|tab|newline|period|commat|num|excl|equals|lowbar|hyphen|dash)\b/i,
  /&#(?:x0*(?!2[267]|3[ce])[0-7]?[0-9a-f](?![0-9a-f])|0*(?!3[489]|6[02])(?:\d{1,2}|1[01]\d|12[0-7])(?!\d))/i,
];

const metaPattern = /<\s*meta\b/gi;
const harmlessMetaPattern =
  /<meta\s+(?:charset\s*=\s*["']?utf-?8["']?|name\s*=\s*["']?(?:viewport|author|description|keywords|generator|robots|date|copyright)["']?\s+content\s*=\s*(?:"[^"<>]*"|'[^'<>]*'))\s*\/?>/gi;

/** Returns the text of a static document, or undefined for any other document. `mayRun`: whether a script may run. */
export function staticDocumentText(
  { bytes, contentType, files }: Pick<PreparedDocument, 'bytes' | 'contentType' | 'files'>,
  mayRun: boolean,
): StaticText | undefined {
  if (mayRun || files !== undefined || bytes.length > maxStaticBytes || !isKnownUtf8(bytes, contentType))
    return undefined;
  const searchable = textToSearch(bytes);
  if (searchable === undefined || searchable.length > maxStaticLength) return undefined;
  if (dynamicPatterns.some((pattern) => pattern.test(searchable))) return undefined;
  const count = (pattern: RegExp) => searchable.match(pattern)?.length ?? 0;
  if (count(metaPattern) !== count(harmlessMetaPattern)) return undefined;
  return { html: new TextDecoder().decode(bytes), searchable };
}

/** Returns whether the bytes are valid UTF-8, and the Content-Type or a declaration in the first 1,024 bytes says UTF-8. */
function isKnownUtf8(bytes: Buffer, contentType: string): boolean {
  if (!isUtf8(bytes)) return false;
  if (contentType === 'text/html; charset=utf-8') return true;
  const head = bytes.toString('latin1', 0, 1024);
  return contentType === 'text/html' && /<meta\s+charset\s*=\s*["']?utf-?8\b/i.test(head);
}

const scriptPattern =
  /<\s*(?:script|iframe|frame|frameset|object|embed|applet|portal|fencedframe|animate|set)\b|[\s"'/<]on[a-z]+\s*=|javascript\s*:|http-equiv|<\?xml-stylesheet|srcdoc|animation-timeline/i;

/**
 * Returns whether a document may run a script, or has animations that need a window with a high frame rate: SMIL, or those that follow
 * scrolling. Also returns true for documents that are not searched: long ones and UTF-16.
 * A wrong `true` costs milliseconds. After a wrong `false`, the Content-Security-Policy `script-src 'none'` blocks the script.
 */
export function mayRunScripts(bytes: Buffer): boolean {
  const text = textToSearch(bytes);
  return text === undefined || scriptPattern.test(text);
}

// Extracts the text that staticDocumentText and mayRunScripts search: the document without long base64 data.

/** Longer documents are not searched: their conversion takes so long that the time saved would make no difference. */
const maxBytes = 30_000_000;

/** In characters, without long base64 data. */
const maxSearchedLength = 4_000_000;

const base64Mark = 'base64,';

/** Everything that loads a resource, runs a script or links to a page contains one of these characters. */
const significantBytes = Buffer.from('<=:(\\&@');

/** Base64 data up to this length, in bytes, stays in the text. */
const minRunLength = 1024;

/** Bytes kept at each end of removed base64 data: a word there may belong to the significant character next to it. */
const keptBytes = 128;

/** Maximum number of base64 marks processed. Only a document made to slow down the search contains more. */
const maxMarks = 10_000;

/**
 * Returns the document as Latin-1 (one character per byte) without long base64 data. Returns undefined for documents that are too
 * long, and for UTF-16, in which ASCII patterns match nothing.
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
  for (let mark = bytes.indexOf(base64Mark); mark !== -1 && marks < maxMarks; marks += 1) {
    const start = mark + base64Mark.length;
    const end = endOfRun(start);
    if (end - start > minRunLength) {
      parts.push(bytes.toString('latin1', from, start + keptBytes));
      from = end - keptBytes;
    }
    mark = bytes.indexOf(base64Mark, end);
  }
  return parts.join('') + bytes.toString('latin1', from);
}

/**
 * Returns a function that returns the offset of the first significant byte from `start` on, or the length of the document.
 * `start` must not decrease between calls, so that the bytes are scanned only once.
 */
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

/**
 * Returns the text of a static document; undefined if the page may have other elements or style sheets than its text, because it is
 * not static or because a script of the caller runs in it.
 */
export function staticTextOf(source: Source, givenOptions: ReadonlySet<OptionName>): StaticText | undefined {
  const runsCallerScript = givenOptions.has('custom_javascript') || givenOptions.has('on_load_javascript');
  return source.kind === 'document' && !runsCallerScript ? source.staticText : undefined;
}
