/** Finds the HTML of headers and footers: in the request, in the archive, or at an address that is fetched later. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Failure } from '../failure/failure.ts';
import { isImage } from '../job/job.ts';
import type { Side } from '../job/paper.ts';
import { shortened } from '../job/problem.ts';
import type { Run } from '../run.ts';
import type { Extracted } from './archive/extracted.ts';
import { inertText } from './inert.ts';
import { mayRunScripts } from './scripts.ts';
import type { StripSource, StripSources } from './source.ts';
import { htmlText } from './html-text.ts';

/** @throws Failure archiveUnusable for a name that is not in the archive; valueNotAllowed for one without an archive */
export async function prepareStrips(run: Run, archive?: Extracted): Promise<StripSources> {
  if (isImage(run.job.options)) return {};
  const [header, footer] = await Promise.all([
    prepareStrip(run, 'header', archive),
    prepareStrip(run, 'footer', archive),
  ]);
  return { ...(header && { header }), ...(footer && { footer }) };
}

/** True unless nothing in them could; what is not there yet could. */
export function stripsRunScripts(strips: StripSources): boolean {
  return Object.values(strips).some(
    (strip) => strip.kind === 'remote' || mayRunScripts(Buffer.from(strip.html)),
  );
}

async function prepareStrip(
  { job: { options } }: Run,
  side: Side,
  archive: Extracted | undefined,
): Promise<StripSource | undefined> {
  const html = options[`${side}_html`];
  if (html !== undefined) return { kind: 'html', html, ...(isInert(html) && { inert: true }) };
  const url = options[`${side}_url`];
  if (url !== undefined) return { kind: 'remote', url };
  const name = options[`zip_${side}_filename`];
  if (name === undefined) return undefined;
  const wanted = { option: `zip_${side}_filename`, name, fallback: options.default_encoding };
  if (archive !== undefined) return fromArchive(archive, wanted);
  const sentence = `zip_${side}_filename names a file of an archive, but no archive was sent; send one, or ${side}_html.`;
  throw new Failure('valueNotAllowed', sentence);
}

function isInert(html: string): boolean {
  const draft = { bytes: Buffer.from(html, 'utf8'), contentType: 'text/html; charset=utf-8' };
  return inertText(draft, mayRunScripts(draft.bytes)) !== undefined;
}

interface Wanted {
  readonly option: string;
  readonly name: string;
  readonly fallback: string | undefined;
}

async function fromArchive(archive: Extracted, { option, name, fallback }: Wanted): Promise<StripSource> {
  const wanted = name.replaceAll('\\', '/').replace(/^(\.?\/)+/, '');
  const path = archive.entries.find((entry) => entry === wanted);
  if (path === undefined) {
    throw new Failure(
      'archiveUnusable',
      `The archive holds no file '${shortened(name)}', which ${option} names.`,
    );
  }
  const bytes = await readFile(join(archive.root, ...path.split('/')));
  return { kind: 'html', html: htmlText(bytes, { fallback }), path };
}
