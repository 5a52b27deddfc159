/**
 * Returns whether Electron for Windows starts with these arguments. If one that looks like a URL is followed by another, it ends with
 * exit code -1 and no message, unless `--` precedes them (electron, shell/app/command_line_args.cc). Chromium moves the words that
 * begin with `--` to the front before the check.
 */
export function electronAccepts(words: readonly string[]): boolean {
  const terminator = words.indexOf('--');
  const checked = terminator < 0 ? words : words.slice(0, terminator);
  const others = checked.filter((word) => !word.startsWith('--'));
  const url = others.findIndex((word) => /^[a-z][^:\s]+:/i.test(word));
  return url < 0 || url === others.length - 1;
}
