/**
 * Counts a PDF's pages without parsing it: trailer -> catalogue -> root of the page tree -> /Count. Costs the same for a
 * thousand pages as for one. For files with a classic cross-reference table (ISO 32000-1, 7.5.4), as Chromium and pdf-lib's
 * plain mode write them.
 */

/** @throws Error when the file is not built that way. */
export function countPages(bytes: Buffer): number {
  const tail = bytes.toString('latin1', Math.max(0, bytes.length - 2048));
  const table = number(/startxref\s+(\d+)\s+%%EOF\s*$/, tail);
  const root = number(/trailer[\s\S]*?\/Root\s+(\d+)\s+\d+\s+R/, tail);
  const pages = number(/\/Pages\s+(\d+)\s+\d+\s+R/, objectAt(bytes, table, root));
  return number(/\/Count\s+(\d+)/, objectAt(bytes, table, pages));
}

/** The text of an object, found through its 20-byte entry in the table. */
function objectAt(bytes: Buffer, table: number, object: number): string {
  const header = /^xref\s+0\s+\d+\s*?\r?\n/.exec(bytes.toString('latin1', table, table + 64));
  if (header === null) throw new Error('The PDF has no plain cross-reference table.');
  const entry = table + header[0].length + object * 20;
  const offset = number(/^(\d{10}) \d{5} n/, bytes.toString('latin1', entry, entry + 20));
  const text = bytes.toString('latin1', offset, offset + 1_000_000);
  return text.slice(0, text.indexOf('endobj'));
}

function number(pattern: RegExp, text: string): number {
  const match = pattern.exec(text);
  if (match?.[1] === undefined) throw new Error(`The PDF has no ${pattern.source}.`);
  return Number(match[1]);
}
