/**
 * The accounts database: opened, brought up to date, closed. It knows no account.
 * SQLite in the data folder; callers see Kysely's queries, so that another dialect can take its place.
 */
import { chmodSync, existsSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { Kysely, Migrator, SqliteDialect } from 'kysely';
import { migrations } from './migrations.ts';
import { NewerDatabase } from './newer-database.ts';
import type { Database, Tables } from './tables.ts';

/** Milliseconds to wait for who writes at the moment. */
const patience = 2000;

/**
 * WAL with NORMAL: what was committed survives the end of the process at any moment, `kill -9` included; the machine
 * losing power can cost the last moments, never the file (sqlite.org/pragma.html#pragma_synchronous).
 */
const pragmas = [
  // The command line may be writing at the moment, or making the same file.
  `PRAGMA busy_timeout = ${patience}`,
  'PRAGMA journal_mode = WAL',
  'PRAGMA synchronous = NORMAL',
  'PRAGMA foreign_keys = ON',
];

/** The file of an installation. */
export function databasePath(dataFolder: string): string {
  return join(dataFolder, 'accounts.sqlite');
}

/** Opens the file, made when it is missing, for its owner alone. @throws NewerDatabase, Error with one sentence */
export async function openDatabase(path: string): Promise<Database> {
  const file = openFile(path);
  const database = new Kysely<Tables>({ dialect: new SqliteDialect({ database: asKyselyWantsIt(file) }) });
  try {
    // Kysely migrates SQLite outside any transaction: a kill would leave half of one, and two starters would meet.
    file.exec('BEGIN IMMEDIATE');
    refuseNewer(file, path);
    await migrate(database);
    file.exec('COMMIT');
    return database;
  } catch (problem) {
    // What was not committed goes with the connection.
    await database.destroy();
    if (problem instanceof NewerDatabase) throw problem;
    throw new Error(`the accounts database ${path} cannot be brought up to date: ${messageOf(problem)}`, {
      cause: problem,
    });
  }
}

/** For who would do something before it is opened. @throws NewerDatabase, Error with one sentence */
export function refuseNewerDatabase(path: string): void {
  if (!existsSync(path)) return;
  let file: InstanceType<typeof DatabaseSync> | undefined;
  try {
    file = new DatabaseSync(path, { readOnly: true, timeout: patience });
    refuseNewer(file, path);
  } catch (problem) {
    throw problem instanceof NewerDatabase ? problem : cannotBeOpened(path, problem);
  } finally {
    file?.close();
  }
}

/** A program that did not know what was changed would read and write past it. */
function refuseNewer(file: InstanceType<typeof DatabaseSync>, path: string): void {
  const all = (sql: string) => file.prepare(sql).all() as unknown[] as readonly { readonly name: string }[];
  if (all("SELECT name FROM sqlite_master WHERE name = 'kysely_migration'").length === 0) return;
  const done = all('SELECT name FROM kysely_migration ORDER BY name');
  const unknown = done.find(({ name }) => !Object.hasOwn(migrations, name));
  if (unknown === undefined) return;
  throw new NewerDatabase(
    `the accounts database ${path} cannot be brought up to date: a newer version of Platen has changed it (${unknown.name}); use that version or a newer one, or restore a backup from before it (docs/upgrade.md).`,
  );
}

async function migrate(database: Database): Promise<void> {
  const { error, results } = await new Migrator({
    db: database,
    provider: { getMigrations: () => Promise.resolve({ ...migrations }) },
  }).migrateToLatest();
  if (error === undefined) return;
  const failed = results?.find(({ status }) => status === 'Error')?.migrationName;
  const where = failed === undefined ? '' : `${failed} failed: `;
  throw new Error(`${where}${messageOf(error)}`, { cause: error });
}

function openFile(path: string) {
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    const file = new DatabaseSync(path);
    // It holds who converted what.
    chmodSync(path, 0o600);
    for (const pragma of pragmas) file.exec(pragma);
    return file;
  } catch (problem) {
    throw cannotBeOpened(path, problem);
  }
}

function cannotBeOpened(path: string, cause: unknown): Error {
  return new Error(`the accounts database ${path} cannot be opened: ${messageOf(cause)}`, { cause });
}

/** Kysely speaks better-sqlite3, whose parameters come as a list and whose statements say whether they return rows. */
function asKyselyWantsIt(file: InstanceType<typeof DatabaseSync>) {
  const prepared = new Map<string, Statement>();
  return {
    // Preparing costs more than running, and a job's statements are always the same few.
    prepare(sql: string): Statement {
      const known = prepared.get(sql);
      if (known !== undefined) return known;
      if (prepared.size >= mostPrepared) prepared.clear();
      const statement = prepare(file, sql);
      prepared.set(sql, statement);
      return statement;
    },
    close() {
      prepared.clear();
      file.close();
    },
  };
}

const mostPrepared = 100;

type Statement = ReturnType<typeof prepare>;

function prepare(file: InstanceType<typeof DatabaseSync>, sql: string) {
  // A transaction that reads and then writes would fail at once if another process wrote between (SQLITE_BUSY_SNAPSHOT).
  const statement = file.prepare(sql === 'begin' ? 'begin immediate' : sql);
  return {
    reader: statement.columns().length > 0,
    all: (parameters: readonly unknown[]) => statement.all(...values(parameters)) as unknown[],
    run: (parameters: readonly unknown[]) =>
      sql === 'rollback' && !file.isTransaction ? alreadyDone : statement.run(...values(parameters)),
    // Rows that are fetched one by one need a statement of their own.
    iterate: (parameters: readonly unknown[]) =>
      file.prepare(sql).iterate(...values(parameters)) as IterableIterator<unknown>,
  };
}

/** A full disk rolls back by itself (sqlite.org/lang_transaction.html#immediate), and Kysely's try would hide the reason. */
const alreadyDone = { changes: 0, lastInsertRowid: 0 };

type Value = string | number | null;

/** A text ends at its first NUL where it is bound, silently, so it is made visible. */
function values(parameters: readonly unknown[]): Value[] {
  return parameters.map((value) =>
    typeof value === 'string' ? value.replaceAll('\0', '\u2400') : (value as Value),
  );
}

function messageOf(problem: unknown): string {
  return problem instanceof Error ? problem.message : String(problem);
}
