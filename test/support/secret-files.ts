/** Files that only users of this machine may read: each text has a random word, and each image a colour. */
import { randomUUID } from 'node:crypto';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface SecretFiles extends Disposable {
  readonly folder: string;
  readonly word: string;
}

/** One file of each kind that a page can load; it shows the word, or the colour if it is an image. */
export function filesShowing(word: string, colour: string): Readonly<Record<string, string>> {
  return {
    'x.html': `<p>${word}</p>`,
    'x.txt': word,
    'x.css': `body::after{content:"${word}"}`,
    'x.js': `document.body.append("${word}")`,
    'x.svg': `<svg xmlns="http://www.w3.org/2000/svg" width="99" height="99"><g id="g"><rect width="99" height="99" fill="${colour}"/></g></svg>`,
    'x.xml': `<p xmlns="http://www.w3.org/1999/xhtml">${word}</p>`,
  };
}

/** Writes them to a new folder that every user of this machine can read. */
export function writeSecretFiles(colour: string): SecretFiles {
  const folder = mkdtempSync(join(tmpdir(), 'platen-secret-'));
  const word = `secret${randomUUID().replaceAll('-', '')}`;
  chmodSync(folder, 0o755);
  for (const [name, contents] of Object.entries(filesShowing(word, colour)))
    writeFileSync(join(folder, name), contents);
  return {
    ...{ folder, word },
    [Symbol.dispose]() {
      rmSync(folder, { recursive: true });
    },
  };
}
