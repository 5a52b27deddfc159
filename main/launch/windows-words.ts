/** Words of a command line as Windows' programs take them apart. */

/** Backslashes count twice before a quote (CommandLineToArgvW). */
export function quotedForWindows(word: string): string {
  return `"${word.replace(/(\\*)"/g, '$1$1\\"').replace(/\\+$/, '$&$&')}"`;
}
