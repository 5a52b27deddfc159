/** Whether this program knows how the accounts database of an installation is built, without changing it. */
import { existsSync } from 'node:fs';
import { DatabaseSync } from '@photostructure/sqlite';
import { migrations } from './migrations.ts';

export interface DatabaseVersion {
  /** The last change that was made to it. */
  readonly last: string;
  /** Changes the next start makes. */
  readonly missing: readonly string[];
  /** Changes that a newer program has made. */
  readonly unknown: readonly string[];
}

/** Undefined when there is no database yet. @throws what SQLite says */
export function databaseVersion(path: string): DatabaseVersion | undefined {
  if (!existsSync(path)) return undefined;
  const file = new DatabaseSync(path, { readOnly: true });
  try {
    const made = namesOf(file.prepare('SELECT name FROM kysely_migration ORDER BY name').all());
    const known = Object.keys(migrations);
    return {
      last: made.at(-1) ?? 'nothing',
      missing: known.filter((name) => !made.includes(name)),
      unknown: made.filter((name) => !known.includes(name)),
    };
  } finally {
    file.close();
  }
}

function namesOf(rows: readonly unknown[]): string[] {
  return rows.map((row) => String((row as { readonly name: unknown }).name));
}
