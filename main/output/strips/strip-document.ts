/** The documents that headers and footers are made of: theirs as it is, or frames with one for each page. */
import { Readable } from 'node:stream';
import { withProgram } from '../../engine/page-program.ts';
import { stripName } from '../../engine/shown-address.ts';
import type { Files, Source, StoredFile } from '../../input/source.ts';
import type { StripFacts } from '../../engine/programs/strip.ts';

type DocumentSource = Extract<Source, { kind: 'document' }>;

/** The HTML of a header or footer, and where its relative addresses start from. */
export interface StripHtml {
  readonly html: string;
  /** The option it came by. */
  readonly option: string;
  /** Its path among the job's files; of one that is none of them, in whose folder it starts from. */
  readonly path: string;
  readonly files?: Files;
  /** The address it starts from, when that is on the network. */
  readonly base?: string;
  readonly scripts: boolean;
  /** It is only text and style, which ask for nothing. */
  readonly inert?: boolean;
}

/** The document itself. */
export function stripDocument(strip: StripHtml): DocumentSource {
  const document = documentOf(strip, withBase(strip), strip.scripts);
  return strip.inert === true ? { ...document, text: strip.html } : document;
}

/** A document for frames, beside the documents of the frames: the n-th at the n-th address. */
export function framesDocument(
  strip: StripHtml,
  pages: readonly StripFacts[],
  prefixes: readonly string[],
): { readonly source: DocumentSource; readonly addresses: readonly string[] } {
  const names = pages.map(({ page }) => stripName(strip.option, page));
  const folder = strip.path.slice(0, strip.path.lastIndexOf('/') + 1);
  const html = withBase(strip);
  const files: Files = async (path) => {
    const index = names.findIndex((name) => folder + name === decodeURIComponent(path));
    const facts = pages[index];
    if (facts === undefined) return strip.files?.(path);
    const filling = JSON.stringify({ facts, prefixes }).replace(/</g, '\\u003c');
    const prelude = await withProgram('strip', `program.watchStrip(${filling})`);
    return stored(atTheStart(html, `<script>${prelude}</script>`));
  };
  const source = documentOf({ ...strip, files }, '<!doctype html><body></body>', true);
  return { source, addresses: names };
}

function documentOf({ path, files }: StripHtml, html: string, scripts: boolean): DocumentSource {
  const bytes = Buffer.from(html, 'utf8');
  const contentType = 'text/html; charset=utf-8';
  return { kind: 'document', bytes, contentType, path, scripts, ...(files && { files }) };
}

/** An address that it starts from by itself wins. */
function withBase({ html, base }: StripHtml): string {
  if (base === undefined || /<base\s/i.test(html)) return html;
  return atTheStart(html, `<base href="${base.replace(/&/g, '&amp;').replace(/"/g, '&quot;')}">`);
}

/** After what must come first: a declaration, comments, the tags of html and head. */
function atTheStart(html: string, addition: string): string {
  const start = /^(?:\s+|<!--[\s\S]*?-->|<!doctype[^>]*>|<html(?:\s[^>]*)?>|<head(?:\s[^>]*)?>)*/i.exec(html);
  const end = start?.[0].length ?? 0;
  return html.slice(0, end) + addition + html.slice(end);
}

function stored(html: string): StoredFile {
  const bytes = Buffer.from(html, 'utf8');
  const stream = Readable.toWeb(Readable.from([bytes])) as ReadableStream;
  return { contentType: 'text/html; charset=utf-8', size: bytes.length, stream };
}
