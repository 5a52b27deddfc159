/**
 * Finds files of an archive whose names are similar to the name of a missing file: in another folder, with another extension, or
 * with one or two other letters.
 */
import { extname } from 'node:path/posix';
import mime from 'mime-types';
import { nextTurn } from '../../async/yielding.ts';
import { foldedName } from '../../fields/normalized.ts';

interface NameParts {
  readonly folder: string;
  /** The name of the file without its extension. */
  readonly stem: string;
  /** With its dot. */
  readonly extension: string;
}

interface EntryParts extends NameParts {
  readonly entry: string;
}

/** The archive may have thousands of files, and a page may request thousands of names; only the first names are compared. */
const maxSearches = 20;
const maxSimilar = 2;
/** Takes a few milliseconds at most. */
const comparedAtOnce = 500;
/** In characters. Longer names are compared for equality only. */
const maxComparedLength = 100;

/**
 * Returns a function that finds up to two entries, the most similar first. It returns none for a name that it has searched before,
 * and after 20 searches.
 */
export function similarNames(entries: readonly string[]): (name: string) => Promise<readonly string[]> {
  const searched = new Set<string>();
  let candidates: readonly EntryParts[] | undefined;
  return async (name) => {
    // A Set of at most 20 names: names that are chosen to collide cost nothing.
    if (searched.size >= maxSearches || searched.has(name)) return [];
    searched.add(name);
    candidates ??= entries.map((entry) => ({ entry, ...partsOf(entry) }));
    const wanted = partsOf(name);
    const byRank: string[][] = ranks.map(() => []);
    for (const [index, candidate] of candidates.entries()) {
      if (index % comparedAtOnce === 0) await nextTurn();
      const found = byRank[ranks.findIndex((matches) => matches(wanted, candidate))];
      if (found !== undefined && found.length < maxSimilar) found.push(candidate.entry);
    }
    return byRank.flat().slice(0, maxSimilar);
  };
}

/** Returns the parts of a path, which are equal for names that differ only in case or Unicode normalisation. */
function partsOf(path: string): NameParts {
  const folded = foldedName(path);
  const start = folded.lastIndexOf('/') + 1;
  const extension = extname(folded);
  return {
    folder: folded.slice(0, start),
    stem: folded.slice(start, folded.length - extension.length),
    extension,
  };
}

type Match = (wanted: NameParts, candidate: NameParts) => boolean;

const sameFolder: Match = (wanted, candidate) => wanted.folder === candidate.folder;
const sameStem: Match = (wanted, candidate) => wanted.stem === candidate.stem;
const sameExtension: Match = (wanted, candidate) => wanted.extension === candidate.extension;

/** The most similar first. */
const ranks: readonly Match[] = [
  (...names) => sameStem(...names) && sameExtension(...names),
  (...names) => sameFolder(...names) && sameStem(...names) && isSameKind(...names),
  (...names) => sameFolder(...names) && sameExtension(...names) && isMisspelled(...names),
  (...names) => sameStem(...names) && isSameKind(...names),
  (...names) => sameExtension(...names) && isMisspelled(...names),
];

/** Returns whether both are pictures, both are fonts, and so on. Two kinds of text, such as a style sheet and a page, are not. */
function isSameKind(wanted: NameParts, candidate: NameParts): boolean {
  const [left, right] = [wanted.extension, candidate.extension].map((extension) => mime.lookup(extension));
  if (typeof left !== 'string' || typeof right !== 'string') return true;
  const kind = left.slice(0, left.indexOf('/') + 1);
  return left === right || (kind !== 'text/' && kind !== 'application/' && right.startsWith(kind));
}

/** Returns whether the names differ in one letter or, if they have more than five, in two; but in no number: 2.png is not 1.png. */
function isMisspelled({ stem: left }: NameParts, { stem: right }: NameParts): boolean {
  const length = Math.max(left.length, right.length);
  const edits = Math.min(left.length, right.length) > 5 ? 2 : 1;
  if (length > maxComparedLength || length < 3) return false;
  return isWithinEdits(left, right, edits) && numbersIn(left) === numbersIn(right);
}

function numbersIn(stem: string): string {
  return (stem.match(/\d+/g) ?? []).map((digits) => digits.replace(/^0+/, '')).join(' ');
}

/** Returns whether the texts become equal if at most `edits` characters are replaced, removed or added. */
function isWithinEdits(left: string, right: string, edits: number): boolean {
  if (Math.abs(left.length - right.length) > edits) return false;
  let same = 0;
  while (same < left.length && left.charCodeAt(same) === right.charCodeAt(same)) same += 1;
  const leftRest = left.slice(same);
  const rightRest = right.slice(same);
  if (leftRest === rightRest) return true;
  return (
    edits > 0 &&
    (isWithinEdits(leftRest.slice(1), rightRest.slice(1), edits - 1) ||
      isWithinEdits(leftRest.slice(1), rightRest, edits - 1) ||
      isWithinEdits(leftRest, rightRest.slice(1), edits - 1))
  );
}
