/**
 * The files beside a page on this machine, as a web server would give them: regular files of one folder and what is below it,
 * nothing hidden, no link that leads out. They are looked for as they are asked for, however many there are.
 */
import { decoded, openInside, type Reading } from './folder-files.ts';
import type { Files } from './source.ts';

/** `root`: absolute, and no file system's own root. */
export function filesBeside(root: string, reading: Reading = {}): Files {
  return (path) => {
    const segments = decoded(path).split('/');
    if (!segments.every(isPlain)) return Promise.resolve(undefined);
    return openInside(root, segments.join('/'), { ...reading, hardLinks: true });
  };
}

/** No way up, no hidden file (keys and passwords are in such); on Windows no stream, drive or other way round (`a:b`, `a\b`). */
function isPlain(segment: string): boolean {
  return /^[^.\0][^\0]*$/.test(segment) && !(process.platform === 'win32' && /[\\:]|[. ]$/.test(segment));
}
