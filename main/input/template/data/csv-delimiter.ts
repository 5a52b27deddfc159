/** Recognises the delimiter of CSV. Imports no parser, because the console's page uses format-of.ts, which uses this module. */

/** In the order of preference. */
export const delimiters = [',', ';', '\t', '|'] as const;

/** So many characters, and records, are examined. */
const maxLength = 20_000;
const maxRecords = 50;

/**
 * Returns the delimiter that is as frequent in each of the first records as in the names of the columns, the most frequent one of
 * several; if there is none, the most frequent one in the names; a comma if the names have no delimiter.
 */
export function delimiterOf(text: string): string {
  const [header, ...others] = countsByRecord(text.slice(0, maxLength));
  if (header === undefined) return ',';
  const isConsistent = (index: number) => others.every((counts) => counts[index] === header[index]);
  const consistent = mostFrequent(header.map((count, index) => (isConsistent(index) ? count : 0)));
  return consistent ?? mostFrequent(header) ?? ',';
}

function mostFrequent(counts: readonly number[]): string | undefined {
  const most = Math.max(...counts);
  return most === 0 ? undefined : delimiters[counts.indexOf(most)];
}

/** Returns how often each delimiter is in each record, outside quotes. Leaves out the last record if it may be incomplete. */
function countsByRecord(text: string): readonly (readonly number[])[] {
  const records: number[][] = [];
  let counts = delimiters.map(() => 0);
  let isEmpty = true;
  let isQuoted = false;
  for (const char of `${text}${text.length < maxLength ? '\n' : ''}`) {
    if (char === '"') isQuoted = !isQuoted;
    if (char === '\n' && !isQuoted) {
      if (!isEmpty) records.push(counts);
      if (records.length === maxRecords) break;
      counts = delimiters.map(() => 0);
      isEmpty = true;
    } else if (char !== '\r' && char !== '\ufeff') isEmpty = false;
    const index = isQuoted ? -1 : (delimiters as readonly string[]).indexOf(char);
    if (index >= 0) counts[index] = (counts[index] ?? 0) + 1;
  }
  return records;
}
