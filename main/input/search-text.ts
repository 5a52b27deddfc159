/** What the tests of a document (scripts.ts, inert.ts) search: the document without the long data that stand in it as base64. */

/** Bytes. Longer documents are not searched: where the answer matters for speed, documents are shorter. */
const longest = 30_000_000;

/** Characters that are left when the data are out. */
const longestSearched = 4_000_000;

const mark = 'base64,';

/** Nothing that loads, runs or leads can be said without one of these. */
const telling = Buffer.from('<=:(\\&@');

/** Bytes without a telling one; shorter runs stay. */
const longRun = 1024;

/** Of each end of a run: a word that belongs to the telling character beside it. */
const kept = 128;

/** Marks; a document made to be slow has more. */
const mostMarks = 10_000;

/** A character for each byte. Undefined when there is too much of it, and for UTF-16, where ASCII patterns find nothing. */
export function textToSearch(bytes: Buffer): string | undefined {
  if (bytes.length > longest || bytes.includes(0)) return undefined;
  const text = withoutData(bytes);
  return text.length > longestSearched ? undefined : text;
}

function withoutData(bytes: Buffer): string {
  const parts: string[] = [];
  const endOfRun = openEnds(bytes);
  let from = 0;
  let marks = 0;
  for (let at = bytes.indexOf(mark); at !== -1 && marks < mostMarks; marks += 1) {
    const start = at + mark.length;
    const end = endOfRun(start);
    if (end - start > longRun) {
      parts.push(bytes.toString('latin1', from, start + kept));
      from = end - kept;
    }
    at = bytes.indexOf(mark, end);
  }
  return parts.join('') + bytes.toString('latin1', from);
}

/** Where the next telling byte is, for starts that only grow: then the bytes are looked through once for each. */
function openEnds(bytes: Buffer): (start: number) => number {
  const next = Array.from(telling, () => -1);
  return (start) => {
    for (const [index, byte] of telling.entries()) {
      if ((next[index] ?? 0) >= start) continue;
      const found = bytes.indexOf(byte, start);
      next[index] = found === -1 ? bytes.length : found;
    }
    return Math.min(...next);
  };
}
