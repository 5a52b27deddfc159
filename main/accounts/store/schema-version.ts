/** Compares the migrations that a database contains with those of this version of Platen, and applies the missing ones. */
import { Migrator, sql, type Migration } from 'kysely';
import { messageOf } from '../../failure/failure.ts';
import { migrationNames } from './migration-names.ts';
import { migrations } from './migrations.ts';
import { NewerDatabase } from './newer-database.ts';
import type { Database } from './tables.ts';

export interface SchemaVersion {
  /** The last applied migration. */
  readonly last: string;
  /** Migrations that the next start applies. */
  readonly pending: readonly string[];
  /** Migrations that a newer version has applied. */
  readonly unknown: readonly string[];
  /** The oldest last migration that a version must know to use the schema; empty if the schema does not say it. */
  readonly oldest: string;
}

/** The name under which the migrations are recorded, and the statement that finds the tables of a database. */
const migrationsTable = 'kysely_migration';

/** Returns the version of the schema from the names of the applied migrations. */
export function schemaVersionOf(applied: readonly string[], oldest = ''): SchemaVersion {
  const known: readonly string[] = migrationNames;
  return {
    last: applied.at(-1) ?? 'nothing',
    pending: known.filter((name) => !applied.includes(name)),
    unknown: applied.filter((name) => !known.includes(name)),
    oldest,
  };
}

/** Reads the version of the schema. Changes nothing. */
export async function readSchemaVersion(database: Database): Promise<SchemaVersion> {
  const tables = await database.introspection.getTables({ withInternalKyselyTables: true });
  const names = new Set(tables.map(({ name }) => name));
  if (!names.has(migrationsTable)) return schemaVersionOf([]);
  const { rows } = await sql<{ name: string }>`SELECT name FROM kysely_migration ORDER BY name`.execute(
    database,
  );
  const applied = rows.map(({ name }) => name);
  if (!names.has('schema_compatibility')) return schemaVersionOf(applied);
  const { oldest } = await database
    .selectFrom('schema_compatibility')
    .select('oldest')
    .executeTakeFirstOrThrow();
  return schemaVersionOf(applied, oldest);
}

/**
 * Refuses a schema that this version cannot use. Nodes of the next version only add to the schema, so this version can use a newer
 * schema as long as that schema supports the last migration of this version.
 * @throws NewerDatabase
 */
export function refuseNewerSchema({ unknown, oldest }: SchemaVersion, name: string): void {
  const [first] = unknown;
  if (first === undefined || (oldest !== '' && (migrationNames as readonly string[]).includes(oldest)))
    return;
  throw new NewerDatabase(
    `cannot use the accounts database ${name}: a newer version of Platen has changed it (${first}); use that version or a newer one, or restore a backup from before that upgrade (docs/upgrade.md).`,
  );
}

/**
 * Applies the missing migrations. On PostgreSQL, an advisory lock lets nodes migrate one after another. `unknown`: the migrations of
 * a newer version, which the database already contains.
 * @throws Error
 */
export async function migrateToLatest(database: Database, unknown: readonly string[] = []): Promise<void> {
  const applied = Object.fromEntries(unknown.map((name) => [name, appliedMigration]));
  const { error, results } = await new Migrator({
    db: database,
    provider: { getMigrations: () => Promise.resolve({ ...migrations, ...applied }) },
  }).migrateToLatest();
  if (error === undefined) return;
  const failed = results?.find(({ status }) => status === 'Error')?.migrationName;
  const where = failed === undefined ? '' : `${failed} failed: `;
  throw new Error(`${where}${messageOf(error)}`, { cause: error });
}

const appliedMigration: Migration = { up: () => Promise.resolve() };
