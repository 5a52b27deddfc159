/** The line break at the end of a secret that comes from a file or on standard input. */

/** Editors and a shell's echo put one there, which is no part of it; a blank may be. */
export function withoutLineEnd(text: string): string {
  return text.replace(/\r?\n$/, '');
}
