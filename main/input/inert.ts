/**
 * The conservative test whether a document is only text and style: nothing in it runs, loads, leads or asks. Such a one can be
 * written into an open page, which is much quicker than going to it (docs/decisions/0035-written-documents.md). A wrong "no"
 * costs milliseconds; a wrong "yes" is caught by the policy of that page, which then says so.
 */
import { isUtf8 } from 'node:buffer';
import type { Draft } from './prepare-source.ts';
import { textToSearch } from './search-text.ts';

/** Characters; the time of longer documents goes into layout and print. */
const longest = 1_000_000;

/** In capital or small letters, and in time that grows no faster than the document. Where one has a word in its text, it is taken for more. */
const doubtful: readonly RegExp[] = [
  // Elements that load, ask, or mean something for the document as a whole.
  /<\s*\/?(?:svg:)?(?:link|base|form|input|select|textarea|button|video|audio|source|track|picture|canvas|template|noscript|plaintext|marquee|map|use|image|feimage|animate\w*|discard|math|xml)\b/i,
  // Attributes that load or change how something is loaded.
  /srcset|poster\s*=|background\s*=|manifest\s*=|ping\s*=|loading\s*=|autofocus|shadowroot/i,
  // One with a title is one of several to choose from.
  /<\s*style(?!\s*(?:(?:type|media)\s*=\s*["'][^"'<>]{0,100}["']\s*){0,2}>)/i,
  // Only what stands in the document itself.
  /src\s*=\s*(?!["']?data:image\/)/i,
  /href\s*=\s*(?!["']?(?:#|https?:|mailto:|tel:))/i,
  /url\(\s*(?!["']?(?:data:|#))/i,
  /@import|image-set|\b(?:image|src)\s*\(/i,
  // Names written so that the lines above do not know them (CSS Syntax 3, 4.3.7; HTML, 13.5).
  /\\[^"'\n;{}]{0,40}\(|@[\w-]*\\/,
  /&(?:lpar|colon|bsol|sol|tab|newline|period|commat|num|excl|equals|lowbar|hyphen|dash)\b/i,
  /&#(?:x0*(?!2[267]|3[ce])[0-7]?[0-9a-f](?![0-9a-f])|0*(?!3[489]|6[02])(?:\d{1,2}|1[01]\d|12[0-7])(?!\d))/i,
];

const metas = /<\s*meta\b/gi;
const plainMetas =
  /<meta\s+(?:charset\s*=\s*["']?utf-?8["']?|name\s*=\s*["']?(?:viewport|author|description|keywords|generator|robots|date|copyright)["']?\s+content\s*=\s*(?:"[^"<>]*"|'[^'<>]*'))\s*\/?>/gi;

/** The document as text when it is only that, and undefined when that is in doubt. `mayRun`: what scripts.ts said of it. */
export function inertText(
  { bytes, contentType, files }: Pick<Draft, 'bytes' | 'contentType' | 'files'>,
  mayRun: boolean,
): string | undefined {
  if (mayRun || files !== undefined || bytes.length > longest || !isSurelyUtf8(bytes, contentType))
    return undefined;
  const searched = textToSearch(bytes);
  if (searched === undefined || doubtful.some((pattern) => pattern.test(searched))) return undefined;
  const count = (pattern: RegExp) => searched.match(pattern)?.length ?? 0;
  return count(metas) === count(plainMetas) ? new TextDecoder().decode(bytes) : undefined;
}

/** Either it was sent as UTF-8, or it says so where browsers look, and nothing else. */
function isSurelyUtf8(bytes: Buffer, contentType: string): boolean {
  if (!isUtf8(bytes)) return false;
  if (contentType === 'text/html; charset=utf-8') return true;
  const head = bytes.toString('latin1', 0, 1024);
  return contentType === 'text/html' && /<meta\s+charset\s*=\s*["']?utf-?8\b/i.test(head);
}
