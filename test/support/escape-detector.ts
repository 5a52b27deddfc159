/** Folders around the data folder of a service, to detect files written outside the folder of a job. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';

export interface EscapeDetector extends Disposable {
  /** The data folder of the service. */
  readonly data: string;
  /** An ancestor of the data folder, some levels up. */
  readonly folder: string;
  /** A file next to the data folder that must stay unchanged. */
  readonly sentinel: string;
  /** Part of the name of every file that an attack writes. */
  readonly marker: string;
  /** New, removed or changed files outside the data folder, and files inside it with the word in their name. */
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
    ...{ data, folder, sentinel, marker },
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
