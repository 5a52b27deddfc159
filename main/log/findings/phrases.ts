/** Puts counts and lists of a log into English. */

/** `1 image`, `12 images`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${figure(count)} ${count === 1 ? one : many}`;
}

/** `a, b and c`; of a longer list the first three and how many more. Only those are put into words: lists can be long. */
export function listed<T>(items: readonly T[], say: (item: T) => string): string {
  const named = items.slice(0, most).map(say);
  if (items.length > most) named.push(`${figure(items.length - most)} more`);
  return named.length < 2 ? named.join('') : `${named.slice(0, -1).join(', ')} and ${named.at(-1) ?? ''}`;
}

const most = 3;

/** One line of at most so many characters; what is cut is shown as a dot-dot-dot. */
export function short(text: string, most = 120): string {
  // Not the whole of a text that may be a megabyte.
  const line = text
    .slice(0, 2 * most)
    .replace(/\s+/g, ' ')
    .trim();
  return line.length <= most && text.length <= 2 * most ? line : `${line.slice(0, most - 1)}…`;
}

/** An address as short as it stays clear. */
export function address(url: string): string {
  return /^data:/i.test(url) ? short(url, 40) : short(url);
}

export function figure(value: number): string {
  return grouped.format(value);
}

const grouped = new Intl.NumberFormat('en-US', { maximumFractionDigits: 1 });
