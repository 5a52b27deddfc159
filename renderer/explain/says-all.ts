/** Whether a text contains all words of a search, ignoring case. Pure. */
export function saysAll(text: string, wanted: string): boolean {
  const there = text.toLowerCase();
  return wanted
    .toLowerCase()
    .split(/\s+/)
    .every((word) => there.includes(word));
}
