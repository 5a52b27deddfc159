/** Opens and migrates the accounts database of a single node, an SQLite file in the data folder. */
import { chmodSync, existsSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { DatabaseSync } from '@photostructure/sqlite';
import { Kysely, SqliteDialect, SqliteDriver, type Driver, type SqliteDialectConfig } from 'kysely';
import {
  migrateToLatest,
  refuseNewerSchema,
  schemaVersionOf,
  type SchemaVersion,
} from '../schema-version.ts';
import { NewerDatabase } from '../newer-database.ts';
import type { Database, Tables } from '../tables.ts';
import { messageOf } from '../../../failure/failure.ts';

/** How long SQLite waits while another process writes. */
const busyTimeoutMs = 2000;

/**
 * With WAL and NORMAL, a commit survives the end of the process, even by `kill -9`. A power failure can lose the last commits, but
 * never corrupts the file (sqlite.org/pragma.html#pragma_synchronous).
 */
const pragmas = [
  // The command line may write to the file, or create it, at the same time.
  `PRAGMA busy_timeout = ${busyTimeoutMs}`,
  'PRAGMA journal_mode = WAL',
  'PRAGMA synchronous = NORMAL',
  'PRAGMA foreign_keys = ON',
  // What is deleted is overwritten with zeros (sqlite.org/pragma.html#pragma_secure_delete).
  'PRAGMA secure_delete = ON',
];

/** Returns the path of an installation's accounts database. */
export function databasePath(dataFolder: string): string {
  return join(dataFolder, 'accounts.sqlite');
}

/**
 * Opens and migrates the file. Creates a missing file, readable only by its owner.
 * @throws NewerDatabase; Error if the file cannot be opened or migrated
 */
export async function openDatabase(path: string): Promise<Database> {
  const file = openFile(path);
  const database = new Kysely<Tables>({
    dialect: new FileDialect({ database: betterSqlite3Adapter(file) }),
  });
  try {
    // Kysely itself migrates SQLite without a transaction. A kill would leave half a migration, and two processes would collide.
    file.exec('BEGIN IMMEDIATE');
    refuseNewer(file, path);
    await migrateToLatest(database);
    file.exec('COMMIT');
    return database;
  } catch (problem) {
    // Closing the connection rolls the transaction back.
    await database.destroy();
    if (problem instanceof NewerDatabase) throw problem;
    throw new Error(`cannot migrate the accounts database ${path}: ${messageOf(problem)}`, {
      cause: problem,
    });
  }
}

/** Checks the file's version without opening the file for writing. @throws NewerDatabase; Error if the file cannot be opened */
export function refuseNewerDatabase(path: string): void {
  if (!existsSync(path)) return;
  let file: InstanceType<typeof DatabaseSync> | undefined;
  try {
    file = new DatabaseSync(path, { readOnly: true, timeout: busyTimeoutMs });
    refuseNewer(file, path);
  } catch (problem) {
    throw problem instanceof NewerDatabase ? problem : cannotBeOpened(path, problem);
  } finally {
    file?.close();
  }
}

/** @throws NewerDatabase if the file contains migrations that do not exist in this version */
function refuseNewer(file: InstanceType<typeof DatabaseSync>, path: string): void {
  refuseNewerSchema(versionOf(file), path);
}

function openFile(path: string) {
  let file: InstanceType<typeof DatabaseSync> | undefined;
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    file = new DatabaseSync(path);
    // The record of jobs is confidential.
    chmodSync(path, 0o600);
    for (const pragma of pragmas) file.exec(pragma);
    return file;
  } catch (problem) {
    file?.close();
    throw cannotBeOpened(path, problem);
  }
}

function cannotBeOpened(path: string, cause: unknown): Error {
  return new Error(`cannot open the accounts database ${path}: ${messageOf(cause)}`, { cause });
}

class FileDialect extends SqliteDialect {
  readonly #config: SqliteDialectConfig;

  constructor(config: SqliteDialectConfig) {
    super(config);
    this.#config = config;
  }

  override createDriver(): Driver {
    return new FileDriver(this.#config);
  }
}

/** A driver whose `destroy` also closes the files. */
class FileDriver extends SqliteDriver {
  override async destroy(): Promise<void> {
    await super.destroy();
    await closeUnusedFiles();
  }
}

/**
 * Closes the files of databases that were closed before. SQLite keeps the files open until the last prepared statement is
 * finalized, and @photostructure/sqlite does that only when the statement is garbage-collected. Until then, Windows refuses to
 * replace or delete the files, and on all systems SQLite deletes the write-ahead log at that later time.
 */
export async function closeUnusedFiles(): Promise<void> {
  setFlagsFromString('--expose-gc');
  // Only new contexts have the function. A version of V8 without it closes the files later.
  const collectGarbage = runInNewContext('globalThis.gc') as (() => void) | undefined;
  // The code cache is valid only for the same flags.
  setFlagsFromString('--no-expose-gc');
  collectGarbage?.();
  // Node.js finalizes collected objects in the next turn.
  await nextTurn();
}

/**
 * Adapts the database to the better-sqlite3 interface that Kysely expects: parameters are passed as a list, and a statement's
 * property `reader` is true if it returns rows.
 */
function betterSqlite3Adapter(file: InstanceType<typeof DatabaseSync>) {
  const prepared = new Map<string, Statement>();
  return {
    // Preparing a statement costs more than running it, and jobs use few different statements.
    prepare(sql: string): Statement {
      const cached = prepared.get(sql);
      if (cached !== undefined) return cached;
      if (prepared.size >= maxPrepared) prepared.clear();
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

const maxPrepared = 100;

type Statement = ReturnType<typeof prepare>;

function prepare(file: InstanceType<typeof DatabaseSync>, sql: string) {
  // A deferred transaction that reads and then writes fails immediately if another process wrote in the meantime
  // (SQLITE_BUSY_SNAPSHOT). Therefore every transaction is immediate.
  const statement = file.prepare(sql === 'begin' ? 'begin immediate' : sql);
  return {
    reader: statement.columns().length > 0,
    all: (parameters: readonly unknown[]) => statement.all(...values(parameters)) as unknown[],
    run: (parameters: readonly unknown[]) =>
      sql === 'rollback' && !file.isTransaction ? alreadyRolledBack : statement.run(...values(parameters)),
    // Each iteration needs a separate statement.
    iterate: (parameters: readonly unknown[]) =>
      file.prepare(sql).iterate(...values(parameters)) as IterableIterator<unknown>,
  };
}

/**
 * The result of a second rollback. On a full disk, SQLite itself rolls back (sqlite.org/lang_transaction.html#immediate); another
 * rollback would fail and hide the original error.
 */
const alreadyRolledBack = { changes: 0, lastInsertRowid: 0 };

type SqlValue = string | number | null;

/** Replaces NUL with a visible character, because @photostructure/sqlite binds a string only up to its first NUL. */
function values(parameters: readonly unknown[]): SqlValue[] {
  return parameters.map((value) =>
    typeof value === 'string' ? value.replaceAll('\0', '\u2400') : (value as SqlValue),
  );
}

/** Returns the version of the file, or undefined if the file does not exist. Changes nothing. @throws the error of SQLite */
export function databaseVersion(path: string): SchemaVersion | undefined {
  if (!existsSync(path)) return undefined;
  const file = new DatabaseSync(path, { readOnly: true });
  try {
    return versionOf(file);
  } finally {
    file.close();
  }
}

function versionOf(file: InstanceType<typeof DatabaseSync>): SchemaVersion {
  const names = (sql: string) =>
    file
      .prepare(sql)
      .all()
      .map((row) => (row as { name: string }).name);
  if (names("SELECT name FROM sqlite_master WHERE name = 'kysely_migration'").length === 0)
    return schemaVersionOf([]);
  return schemaVersionOf(names('SELECT name FROM kysely_migration ORDER BY name'));
}
