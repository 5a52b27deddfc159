/** The kinds of the options that name things: the answer's file, the job in the logs. */
import type { Kind } from '../fields/kind.ts';

const longestName = 180;
const longestTag = 32;

/** A file name for the answer, harmless wherever it is saved: no folders, nothing that cannot be seen, 180 characters. */
export const fileName: Kind<string> = {
  allowed: `a file name; what exceeds ${longestName} characters is cut`,
  schema: { type: 'string', minLength: 1, examples: ['invoice.pdf'] },
  read(text) {
    const name = text.trim().replace(unsafe, '_');
    return /^\.*$/.test(name) ? undefined : cutBeforeExtension(name);
  },
};

/** Path separators, control characters and line ends; marks of direction, which make exe.pdf of fdp.exe (UTS #39). */
const unsafe = /[/\\\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu;

/** Characters are code points, so that none is cut in two. */
function cutBeforeExtension(name: string): string {
  const extension = /(?<=.)\.[^.]{1,20}$/u.exec(name)?.[0] ?? '';
  const stem = name.slice(0, name.length - extension.length);
  return `${firstOf(stem, longestName - Array.from(extension).length)}${extension}`;
}

function firstOf(text: string, characters: number): string {
  return Array.from(text).slice(0, characters).join('');
}

/** A word that stands with the job in the logs, on one line. */
export const tag: Kind<string> = {
  allowed: `a text; what exceeds ${longestTag} characters is cut`,
  schema: { type: 'string', minLength: 1, examples: ['invoices'] },
  read(text) {
    const word = firstOf(text.trim().replace(/\p{Cc}/gu, ' '), longestTag);
    return word === '' ? undefined : word;
  },
};
