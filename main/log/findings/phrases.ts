/** Formats counts, lists and addresses for the sentences of logs, and groups items by key. */

/** Returns a count with its noun, such as `1 image` or `12 images`. */
export function counted(count: number, singular: string, plural = `${singular}s`): string {
  return `${formatNumber(count)} ${count === 1 ? singular : plural}`;
}

export function formatNumber(value: number): string {
  numberFormat ??= new Intl.NumberFormat('en-US', { maximumFractionDigits: 1 });
  return numberFormat.format(value);
}

/** Created when it is needed, because that takes 8 ms. */
let numberFormat: Intl.NumberFormat | undefined;

/** Returns a list such as `a, b and c`. A longer list ends after three items: `a, b, c and 4 more`. Formats only listed items. */
export function listed<T>(items: readonly T[], format: (item: T) => string): string {
  const parts = items.slice(0, maxListed).map(format);
  if (items.length > maxListed) parts.push(`${formatNumber(items.length - maxListed)} more`);
  return parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1) ?? ''}`;
}

const maxListed = 3;

/** Returns the text on one line, cut to `maxLength` characters with an ellipsis. */
export function shortText(text: string, maxLength = 120): string {
  // The text may be a megabyte long, so only its beginning is processed.
  const line = text
    .slice(0, 2 * maxLength)
    .replace(/\s+/g, ' ')
    .trim();
  return line.length <= maxLength && text.length <= 2 * maxLength ? line : `${line.slice(0, maxLength - 1)}…`;
}

/** Shortens an address to 120 characters, and a data: URL to 40. */
export function shortAddress(url: string): string {
  return /^data:/i.test(url) ? shortText(url, 40) : shortText(url);
}

/** Groups items by key, like Map.groupBy, which Node 20 lacks. */
export function groupedBy<T, Key>(items: readonly T[], keyOf: (item: T) => Key): Map<Key, T[]> {
  const groups = new Map<Key, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return groups;
}

/** Returns the first item for each key. */
export function distinctBy<T>(items: readonly T[], keyOf: (item: T) => unknown): T[] {
  const keys = new Set<unknown>();
  return items.filter((item) => {
    const key = keyOf(item);
    return !keys.has(key) && keys.add(key);
  });
}
