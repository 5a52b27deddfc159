/** Writes local files that no page may read. Each text file contains a random word, and the image a colour. */
import { randomUUID } from 'node:crypto';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface SecretFiles extends Disposable {
  readonly folder: string;
  readonly word: string;
}

/** Returns the contents of a file of each type that a page can load; a page that loads it shows the word or the colour. */
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

/** Writes the files to a new folder that every user of this machine can read. */
export function writeSecretFiles(colour: string): SecretFiles {
  const folder = mkdtempSync(join(tmpdir(), 'platen-secret-'));
  const word = `secret${randomUUID().replaceAll('-', '')}`;
  chmodSync(folder, 0o755);
  for (const [name, contents] of Object.entries(filesShowing(word, colour)))
    writeFileSync(join(folder, name), contents);
  return {
    folder,
    word,
    [Symbol.dispose]() {
      rmSync(folder, { recursive: true });
    },
  };
}
