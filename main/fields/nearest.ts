/** Finds the known name a mistyped one was probably meant to be. */

/** Characters; what is longer was meant to be none, and would take its time to compare. */
const longest = 100;

/** The nearest known name within a third of its length in edits, or undefined. */
export function nearest(name: string, known: readonly string[]): string | undefined {
  if (name.length > longest) return undefined;
  const wanted = name.toLowerCase().replaceAll('-', '_');
  const ranked = known
    .map((candidate) => ({
      candidate,
      edits: distance(wanted, candidate.toLowerCase().replaceAll('-', '_')),
    }))
    .sort((one, other) => one.edits - other.edits);
  const best = ranked[0];
  return best !== undefined && best.edits <= Math.max(2, Math.floor(wanted.length / 3))
    ? best.candidate
    : undefined;
}

/** Levenshtein's distance, one row at a time. */
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
