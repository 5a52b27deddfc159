/** Detects files that a service writes outside the folder of a job. It creates folders around the data folder of the service. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';

export interface EscapeDetector extends Disposable {
  /** The data folder of the service. */
  readonly data: string;
  /** The temporary folder four levels above the data folder. */
  readonly folder: string;
  /** A file next to the data folder that must stay unchanged. */
  readonly sentinel: string;
  /** A random word, which every attack includes in the names of its files. */
  readonly marker: string;
  /**
   * Returns files that should not exist: new files around the data folder, files in it whose name contains the marker, and such
   * entries of the root folder, the folder for temporary files and the current folder. Includes the sentinel if it was changed or
   * removed.
   */
  readonly escapes: () => readonly string[];
}

export function openEscapeDetector(): EscapeDetector {
  const folder = mkdtempSync(join(tmpdir(), 'platen-escape-'));
  const data = join(folder, 'a', 'b', 'c', 'data');
  mkdirSync(data, { recursive: true });
  const sentinel = join(dirname(data), 'sentinel');
  writeFileSync(sentinel, 'untouched');
  const marker = `evil${randomUUID().slice(0, 8)}`;
  return {
    data,
    folder,
    sentinel,
    marker,
    escapes() {
      const names = readdirSync(folder, { recursive: true }).map(String);
      const inside = join(relative(folder, data), '/');
      const escapedNames = names.filter((name) =>
        name.startsWith(inside) ? name.includes(marker) : !expected.has(name),
      );
      const roots = ['/', tmpdir(), process.cwd()].flatMap((root) =>
        readdirSync(root).filter((name) => name.includes(marker)),
      );
      const changed = content(sentinel) === 'untouched' ? [] : [sentinel];
      return [...escapedNames, ...roots, ...changed];
    },
    [Symbol.dispose]() {
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const expected = new Set(['a', 'a/b', 'a/b/c', 'a/b/c/data', 'a/b/c/sentinel']);

function content(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
