/** Finds the words that were added, removed or moved between two documents. Does not compare spaces and positions within words. */
import { groupedBy } from '../log/findings/phrases.ts';
import type { PositionedWord, TextPosition } from './comparable-document.ts';

/** Consecutive words with the same change. */
export interface TextChange {
  /** Words are moved to another page, or by more than 1 pt on the same page. */
  readonly kind: 'removed' | 'added' | 'moved';
  /** The words, separated by spaces. */
  readonly text: string;
  readonly words: number;
  /** The position of the first word in the earlier document; undefined for added words. */
  readonly before: TextPosition | undefined;
  /** The position of the first word in the later document; undefined for removed words. */
  readonly after: TextPosition | undefined;
}

/** Distance in points up to which a word counts as unmoved. */
const tolerance = 1;
/** The number of added and removed words after which the alignment up to there is final, to limit time and memory. */
const maxEdits = 600;

/** Returns the changes: removed, then added, then moved words, each in reading order. */
export function findTextChanges(
  before: readonly PositionedWord[],
  after: readonly PositionedWord[],
): readonly TextChange[] {
  const pairs = new WordPairs(before, after);
  pairs.pairAligned();
  pairs.pairUnmoved();
  pairs.pairMoved();
  return [
    ...merged('removed', pairs.removed()),
    ...merged('added', pairs.added()),
    ...merged('moved', pairs.moved()),
  ];
}

interface IndexedWord {
  readonly word: PositionedWord;
  /** The place of the word in its document. */
  readonly index: number;
}

interface WordChange {
  readonly before?: IndexedWord;
  readonly after?: IndexedWord;
}

/** The pairs of a word in the earlier document and the same word in the later document. */
class WordPairs {
  readonly #before: readonly PositionedWord[];
  readonly #after: readonly PositionedWord[];
  readonly #beforeByAfter = new Map<number, number>();
  readonly #afterByBefore = new Map<number, number>();

  constructor(before: readonly PositionedWord[], after: readonly PositionedWord[]) {
    this.#before = before;
    this.#after = after;
  }

  /** Pairs the words that occur in the same order in both documents. */
  pairAligned(): void {
    for (const [before, after] of align(this.#before, this.#after)) this.#pair(before, after);
  }

  /** Pairs words at the same position, which only the order of painting separates. */
  pairUnmoved(): void {
    const candidates = groupedBy(this.removed(), ({ before }) => `${before.word.page} ${before.word.text}`);
    for (const { after } of this.added()) {
      const same = candidates.get(`${after.word.page} ${after.word.text}`) ?? [];
      const place = same.findIndex(({ before }) => isNear(before.word, after.word));
      const [found] = place < 0 ? [] : same.splice(place, 1);
      if (found !== undefined) this.#pair(found.before.index, after.index);
    }
  }

  /**
   * Pairs each word that was removed once and added once, and the words beside it. More frequent words alone are no evidence that
   * text was moved.
   */
  pairMoved(): void {
    const removed = groupedBy(this.removed(), ({ before }) => before.word.text);
    const added = groupedBy(this.added(), ({ after }) => after.word.text);
    for (const [text, [removal, ...otherRemovals]] of removed) {
      const [addition, ...otherAdditions] = added.get(text) ?? [];
      if (removal === undefined || addition === undefined) continue;
      if (otherRemovals.length > 0 || otherAdditions.length > 0) continue;
      this.#pair(removal.before.index, addition.after.index);
      this.#pairNeighbours(removal.before.index, addition.after.index, 1);
      this.#pairNeighbours(removal.before.index, addition.after.index, -1);
    }
  }

  #pairNeighbours(before: number, after: number, step: 1 | -1): void {
    for (let distance = step; this.#canPair(before + distance, after + distance); distance += step)
      this.#pair(before + distance, after + distance);
  }

  #canPair(before: number, after: number): boolean {
    const text = this.#before[before]?.text;
    const isFree = !this.#afterByBefore.has(before) && !this.#beforeByAfter.has(after);
    return isFree && text !== undefined && text === this.#after[after]?.text;
  }

  #pair(before: number, after: number): void {
    if (this.#afterByBefore.has(before) || this.#beforeByAfter.has(after)) return;
    this.#afterByBefore.set(before, after);
    this.#beforeByAfter.set(after, before);
  }

  removed(): { readonly before: IndexedWord }[] {
    return this.#before.flatMap((word, index) =>
      this.#afterByBefore.has(index) ? [] : [{ before: { word, index } }],
    );
  }

  added(): { readonly after: IndexedWord }[] {
    return this.#after.flatMap((word, index) =>
      this.#beforeByAfter.has(index) ? [] : [{ after: { word, index } }],
    );
  }

  moved(): WordChange[] {
    return this.#after.flatMap((word, index) => {
      const origin = this.#beforeByAfter.get(index);
      const originalWord = this.#before[origin ?? -1];
      if (origin === undefined || originalWord === undefined || isNear(originalWord, word)) return [];
      return [{ before: { word: originalWord, index: origin }, after: { word, index } }];
    });
  }
}

function isNear(a: TextPosition, b: TextPosition): boolean {
  return a.page === b.page && Math.abs(a.x - b.x) <= tolerance && Math.abs(a.y - b.y) <= tolerance;
}

/** Merges consecutive words on the same page that moved by the same distance. */
function merged(kind: TextChange['kind'], changes: readonly WordChange[]): TextChange[] {
  const runs: WordChange[][] = [];
  for (const change of changes) {
    const run = runs.at(-1);
    const [first] = run ?? [];
    const last = run?.at(-1);
    if (run !== undefined && first !== undefined && last !== undefined && continues({ first, last }, change))
      run.push(change);
    else runs.push([change]);
  }
  return runs.map((run) => ({
    kind,
    text: run.map(({ before, after }) => (before ?? after)?.word.text).join(' '),
    words: run.length,
    before: positionOf(run[0]?.before),
    after: positionOf(run[0]?.after),
  }));
}

function continues(
  { first, last }: { readonly first: WordChange; readonly last: WordChange },
  change: WordChange,
): boolean {
  if (!isNext(last.before, change.before) || !isNext(last.after, change.after)) return false;
  const [firstX, firstY] = shiftOf(first);
  const [x, y] = shiftOf(change);
  return Math.abs(x - firstX) <= tolerance && Math.abs(y - firstY) <= tolerance;
}

function isNext(last: IndexedWord | undefined, next: IndexedWord | undefined): boolean {
  return last === undefined || (next?.index === last.index + 1 && next.word.page === last.word.page);
}

function shiftOf({ before, after }: WordChange): readonly [number, number] {
  if (before === undefined || after === undefined) return [0, 0];
  return [after.word.x - before.word.x, after.word.y - before.word.y];
}

function positionOf(found: IndexedWord | undefined): TextPosition | undefined {
  return found && { page: found.word.page, x: found.word.x, y: found.word.y };
}

/**
 * Returns the pairs of indexes of a common subsequence of both texts: the longest one (Myers, "An O(ND) Difference Algorithm and Its
 * Variations"), or with more than `maxEdits` differences, one of several parts that are each the longest.
 */
function align(before: readonly PositionedWord[], after: readonly PositionedWord[]): [number, number][] {
  const numbers = new Map<string, number>();
  const numbered = (words: readonly PositionedWord[]) =>
    words.map(({ text }) => {
      const number = numbers.get(text) ?? numbers.size;
      numbers.set(text, number);
      return number;
    });
  const wordsBefore = numbered(before);
  const wordsAfter = numbered(after);
  const pairs: [number, number][] = [];
  let start: readonly [number, number] = [0, 0];
  while (start[0] < before.length && start[1] < after.length) {
    const part = alignPart(wordsBefore.slice(start[0]), wordsAfter.slice(start[1]));
    for (const [x, y] of part.pairs) pairs.push([start[0] + x, start[1] + y]);
    start = [start[0] + part.end[0], start[1] + part.end[1]];
  }
  return pairs;
}

interface AlignedPart {
  readonly pairs: readonly [number, number][];
  /** The place up to which both texts are aligned. */
  readonly end: readonly [number, number];
}

/** A place in both texts: `x` words of the first text, `x - diagonal` of the second. */
interface AlignedPlace {
  readonly edits: number;
  readonly diagonal: number;
  readonly x: number;
}

/** Aligns from the beginning to the end, or to the farthest place that `maxEdits` edits reach. */
function alignPart(a: readonly number[], b: readonly number[]): AlignedPart {
  const history: FarthestPlaces[] = [];
  for (let edits = 0; edits <= maxEdits; edits += 1) {
    const places = new FarthestPlaces(history.at(-1));
    for (let diagonal = -edits; diagonal <= edits; diagonal += 2) {
      let x = history.at(-1)?.next({ edits, diagonal }).x ?? 0;
      while (x < a.length && x - diagonal < b.length && a[x] === b[x - diagonal]) x += 1;
      places.set(diagonal, x);
      if (x === a.length && x - diagonal === b.length) return partUpTo({ edits, diagonal, x }, history);
    }
    history.push(places);
  }
  const farthest = history.at(-1)?.farthest(a.length, b.length);
  if (farthest === undefined) return { pairs: [], end: [a.length, b.length] };
  return partUpTo({ edits: maxEdits, ...farthest }, history);
}

/** For each diagonal, the farthest `x` that a number of edits reaches. */
class FarthestPlaces {
  readonly #places: Int32Array;

  constructor(previous: FarthestPlaces | undefined) {
    this.#places = previous === undefined ? new Int32Array(2 * maxEdits + 3) : previous.#places.slice();
  }

  get(diagonal: number): number {
    return this.#places[diagonal + maxEdits + 1] ?? 0;
  }

  set(diagonal: number, x: number): void {
    this.#places[diagonal + maxEdits + 1] = x;
  }

  /** Returns where one more edit leads on a diagonal, and from which diagonal. */
  next({ edits, diagonal }: Omit<AlignedPlace, 'x'>): { readonly from: number; readonly x: number } {
    const isInsertion =
      diagonal === -edits || (diagonal !== edits && this.get(diagonal - 1) < this.get(diagonal + 1));
    if (isInsertion) return { from: diagonal + 1, x: this.get(diagonal + 1) };
    return { from: diagonal - 1, x: this.get(diagonal - 1) + 1 };
  }

  /** Returns the place with the most words of both texts; undefined if all places are outside the texts. */
  farthest(lengthA: number, lengthB: number): Omit<AlignedPlace, 'edits'> | undefined {
    let found: Omit<AlignedPlace, 'edits'> | undefined;
    for (let diagonal = -maxEdits; diagonal <= maxEdits; diagonal += 2) {
      const x = this.get(diagonal);
      const isInside = x <= lengthA && x - diagonal >= 0 && x - diagonal <= lengthB;
      if (isInside && (found === undefined || 2 * x - diagonal > 2 * found.x - found.diagonal))
        found = { diagonal, x };
    }
    return found;
  }
}

/** Collects the pairs on the way to a place, from its end to its beginning. */
function partUpTo(place: AlignedPlace, history: readonly FarthestPlaces[]): AlignedPart {
  const pairs: [number, number][] = [];
  let { edits, diagonal, x } = place;
  for (; edits >= 0; edits -= 1) {
    const previous = history[edits - 1];
    const edit = previous?.next({ edits, diagonal });
    while (x > (edit?.x ?? 0)) {
      x -= 1;
      pairs.push([x, x - diagonal]);
    }
    if (previous === undefined || edit === undefined) break;
    diagonal = edit.from;
    x = previous.get(diagonal);
  }
  return { pairs: pairs.reverse(), end: [place.x, place.x - place.diagonal] };
}
