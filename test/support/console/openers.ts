/** Replaces the programs that open addresses on a desktop (xdg-open and others), and records their calls. */
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

export interface Openers extends Disposable {
  /** Environment variables for the service: PATH with the replacements. */
  readonly environment: Readonly<Record<string, string>>;
  /** Returns a line with the program and the address for each call so far. */
  readonly opened: () => string;
}

const programs = [
  'xdg-open',
  'gio',
  'gvfs-open',
  'kde-open',
  'exo-open',
  'sensible-browser',
  'x-www-browser',
];

export function replaceOpeners(): Openers {
  const folder = mkdtempSync(join(tmpdir(), 'platen-openers-'));
  const record = join(folder, 'record');
  for (const program of programs) {
    writeFileSync(join(folder, program), `#!/bin/sh\necho ${program} "$@" >> ${record}\n`);
    chmodSync(join(folder, program), 0o755);
  }
  return {
    environment: { PATH: `${folder}${delimiter}${process.env.PATH ?? ''}` },
    opened: () => (existsSync(record) ? readFileSync(record, 'utf8') : ''),
    [Symbol.dispose]() {
      rmSync(folder, { recursive: true });
    },
  };
}
