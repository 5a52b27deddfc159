/** The kinds of output_name and tag: names that a caller gives to an output and a job. */
import type { Kind } from '../fields/kinds.ts';

const maxNameLength = 180;
const maxTagLength = 32;

/** A file name that is safe on every system: no folders, no invisible characters, at most 180 characters. */
export const fileName: Kind<string> = {
  allowed: `a file name; it is cut to ${maxNameLength} characters`,
  schema: { type: 'string', minLength: 1, examples: ['invoice.pdf'] },
  read(text) {
    const name = text.trim().replace(unsafe, '_');
    return /^\.*$/.test(name) ? undefined : cutBeforeExtension(name);
  },
};

/** Path separators, control characters, line ends, and direction marks, which can make fdp.exe look like exe.pdf (UTS #39). */
const unsafe = /[/\\\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu;

/** Shortens a name and keeps its extension. Counts code points, so that no surrogate pair is split. */
function cutBeforeExtension(name: string): string {
  const extension = /(?<=.)\.[^.]{1,20}$/u.exec(name)?.[0] ?? '';
  const stem = name.slice(0, name.length - extension.length);
  return `${firstCharacters(stem, maxNameLength - Array.from(extension).length)}${extension}`;
}

function firstCharacters(text: string, count: number): string {
  return Array.from(text).slice(0, count).join('');
}

/** A label of the job in the logs, on one line. */
export const tag: Kind<string> = {
  allowed: `a text; it is cut to ${maxTagLength} characters`,
  schema: { type: 'string', minLength: 1, examples: ['invoices'] },
  read(text) {
    const word = firstCharacters(text.trim().replace(/\p{Cc}/gu, ' '), maxTagLength);
    return word === '' ? undefined : word;
  },
};
