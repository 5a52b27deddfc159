/** The files of a data folder: which ones the documentation lists, and their content while a service runs. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { project } from './service.ts';

/** Returns the names of the files and folders in the table of docs/operations.md. */
export function documentedDataFiles(): string[] {
  const page = readFileSync(join(project, 'docs', 'operations.md'), 'utf8');
  const rows = /## Data folder\n([^]*?)(?:\n## |$)/.exec(page)?.[1]?.split('\n').slice(3) ?? [];
  return rows.flatMap((row) => {
    const cell = row.split('|')[1]?.replace(/\(.*\)/, '') ?? '';
    const names = [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name.replace(/\/$/, ''));
    return names.map((name) => (name.startsWith('-') ? `${names[0] ?? ''}${name}` : name));
  });
}

/**
 * Returns the content of a file. On Windows, Chromium has some of its files open so that no other program can read them; their
 * content is then empty.
 */
export function readUnlessLocked(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (problem) {
    if (process.platform === 'win32' && (problem as NodeJS.ErrnoException).code === 'EBUSY')
      return Buffer.alloc(0);
    throw problem;
  }
}
