/** Which of an archive's HTML files is converted. */
import type { Extracted } from './extracted.ts';
import { refusal, shown } from './refusal.ts';

export interface MainFile {
  /** One of the archive's entries. */
  readonly main: string;
  /** For the debug log, when the choice was a guess. */
  readonly note?: string;
}

/**
 * @param zip_main_filename As the caller gave it; it may name a file in a sub-folder.
 * @throws Failure archiveUnusable when there is nothing to choose.
 */
export function chooseMain({ entries }: Extracted, zip_main_filename?: string): MainFile {
  if (zip_main_filename !== undefined) return { main: named(entries, zip_main_filename) };
  const pages = entries.filter(isHtml);
  const [first, ...others] = pages.filter((entry) => !entry.includes('/'));
  if (first === undefined) throw nothingAtTop(pages);
  if (others.length === 0) return { main: first };
  const index = [first, ...others].find((entry) => /^index\.html?$/i.test(entry));
  if (index !== undefined) return { main: index };
  const note = `The archive has ${others.length + 1} HTML files in its top folder and no index.html; ${shown(first)} is the first. zip_main_filename chooses another.`;
  return { main: first, note };
}

function isHtml(entry: string): boolean {
  return /\.(html?|xhtml|xht)$/i.test(entry);
}

/** Exactly as given if there is one; else without regard to case, on which Windows and Linux differ. */
function named(entries: readonly string[], given: string): string {
  const wanted = given
    .replaceAll('\\', '/')
    .replace(/^(\.?\/)+/, '')
    .normalize('NFC');
  const folded = wanted.toLowerCase();
  const found =
    entries.find((entry) => entry.normalize('NFC') === wanted) ??
    entries.find((entry) => entry.normalize('NFC').toLowerCase() === folded);
  if (found !== undefined) return found;
  const isFolder =
    wanted !== '' && entries.some((entry) => entry.startsWith(`${wanted.replace(/\/$/, '')}/`));
  const what = isFolder ? 'is a folder in the archive, not a file' : 'is not in the archive';
  throw refusal(`zip_main_filename ${shown(given)} ${what}; ${candidates(entries)}.`);
}

const mostCandidates = 5;

function candidates(entries: readonly string[]): string {
  const pages = entries.filter(isHtml);
  if (pages.length === 0) return 'it holds no HTML file at all';
  return `its HTML files are ${list(pages)}`;
}

function nothingAtTop(pages: readonly string[]): Error {
  if (pages.length === 0) return refusal('The archive holds no HTML file; add one to its top folder.');
  return refusal(
    `The archive has no HTML file in its top folder; name one by zip_main_filename. Deeper there are ${list(pages)}.`,
  );
}

function list(pages: readonly string[]): string {
  const more = pages.length > mostCandidates ? ` and ${pages.length - mostCandidates} more` : '';
  return pages.slice(0, mostCandidates).map(shown).join(', ') + more;
}
