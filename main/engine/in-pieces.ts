/**
 * Sends a long text into a page piece by piece: making one message of 50 MB takes half a second, in which nobody else is
 * answered. The page keeps the pieces by their number, because Chromium may be told a thing twice (run-once.ts).
 */

/** Characters; a message of so many takes a few milliseconds. */
export const longestPiece = 500_000;

interface Sending {
  /** Runs code in the world where the text is wanted. */
  readonly run: (code: string) => Promise<unknown>;
  /** Of the text in that world, unguessable. */
  readonly key: string;
}

/** Code that is worth the text, once; undefined where the page has gone elsewhere since the first piece. */
export async function inPieces({ run, key }: Sending, text: string): Promise<string> {
  if (text.length <= longestPiece) return JSON.stringify(text);
  const place = `globalThis[Symbol.for(${JSON.stringify(key)})]`;
  await run(`void (${place} ??= [])`);
  for (let at = 0; at < text.length; at += longestPiece) {
    const piece = JSON.stringify(text.slice(at, at + longestPiece));
    // Its value would come back.
    await run(`void (${place} && (${place}[${at / longestPiece}] = ${piece}))`);
  }
  return `(() => { const pieces = ${place}; delete ${place}; return pieces?.join('') })()`;
}
