/** Whether a text has all words that somebody looks for, in upper or lower case. Pure. */
export function saysAll(text: string, wanted: string): boolean {
  const there = text.toLowerCase();
  return wanted
    .toLowerCase()
    .split(/\s+/)
    .every((word) => there.includes(word));
}
