/** Suggests a known name for a mistyped name. */

/** In characters. Longer names are not typing errors, and comparing them would take too long. */
const maxLength = 100;

/** Returns the nearest known name, or undefined if it is more than max(2, a third of the length) edits away. */
export function nearestName(name: string, knownNames: readonly string[]): string | undefined {
  if (name.length > maxLength) return undefined;
  const normalized = name.toLowerCase().replaceAll('-', '_');
  const maxEdits = Math.max(2, Math.floor(normalized.length / 3));
  const ranked = knownNames
    // The difference of the lengths is the least possible number of edits.
    .filter((candidate) => Math.abs(candidate.length - normalized.length) <= maxEdits)
    .map((candidate) => ({
      candidate,
      edits: distance(normalized, candidate.toLowerCase().replaceAll('-', '_')),
    }))
    .filter(({ edits }) => edits <= maxEdits)
    .sort((left, right) => left.edits - right.edits);
  return ranked[0]?.candidate;
}

/** Returns the Levenshtein distance, computed row by row. */
function distance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let i = 1; i <= from.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= to.length; j += 1) {
      const change = (row[j - 1] ?? 0) + (from[i - 1] === to[j - 1] ? 0 : 1);
      next.push(Math.min(change, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[to.length] ?? 0;
}
