/** Opens and migrates a PostgreSQL database that several nodes share. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { Kysely, PostgresDialect, sql } from 'kysely';
import { messageOf } from '../../../failure/failure.ts';
import { shownLocation, type PostgresLocation } from '../../../settings/postgres-location.ts';
import {
  migrateToLatest,
  readSchemaVersion,
  refuseNewerSchema,
  type SchemaVersion,
} from '../schema-version.ts';
import { NewerDatabase } from '../newer-database.ts';
import type { Store, StoreOptions } from '../store.ts';
import type { Database, Tables } from '../tables.ts';
import { isUnavailable } from '../unavailable.ts';
import { ConnectionPool } from './pool.ts';

export interface PostgresOptions {
  readonly location: PostgresLocation;
  readonly passwordFile?: string | undefined;
  /** Maximum number of connections. Default: 10. */
  readonly maxConnections?: number;
  /** See PoolOptions. */
  readonly onAvailability?: ((problem: string | undefined) => void) | undefined;
}

/** Returns the options that settings give. A relative path of the password file starts from the data folder. */
export function postgresOptionsOf(
  location: PostgresLocation,
  { data, 'database-password-file': passwordFile }: StoreOptions['settings'],
): PostgresOptions {
  return { location, ...(passwordFile !== undefined && { passwordFile: resolve(data, passwordFile) }) };
}

const defaultMaxConnections = 10;
const maxPublicConnections = 2;

interface PostgresConnections {
  readonly database: Database;
  readonly pool: ConnectionPool;
}

/** Returns the database without migrating it. No connection is opened before the first query. */
export function connectToPostgres(options: PostgresOptions): PostgresConnections {
  const { location, passwordFile, maxConnections = defaultMaxConnections, onAvailability } = options;
  const pool = new ConnectionPool({
    location,
    passwordFile,
    maxConnections,
    ...(onAvailability && { onAvailability }),
  });
  return { database: new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) }), pool };
}

/**
 * Opens and migrates the database. Nodes that start at the same time migrate one after another.
 * @throws NewerDatabase; Error with the reason and without user and password if the database cannot be used
 */
export async function openPostgres(options: PostgresOptions): Promise<PostgresConnections> {
  const name = shownLocation(options.location);
  checkPasswordFile(options.passwordFile);
  const connections = connectToPostgres(options);
  const { database } = connections;
  try {
    await sql`SELECT 1`.execute(database);
    const version = await readSchemaVersion(database);
    refuseNewerSchema(version, name);
    await migrateToLatest(database, version.unknown);
    return connections;
  } catch (problem) {
    await database.destroy();
    throw nameDatabase(problem, name);
  }
}

/** Opens and migrates the database as a Store. @throws NewerDatabase; Error if it cannot be used */
export async function openPostgresStore(options: PostgresOptions): Promise<Store> {
  const { database, pool } = await openPostgres(options);
  const { location, passwordFile } = options;
  const { database: publicReads } = connectToPostgres({
    location,
    passwordFile,
    maxConnections: maxPublicConnections,
  });
  return {
    database,
    publicReads,
    isShared: true,
    problem: () => pool.problem,
    async [Symbol.asyncDispose]() {
      await publicReads.destroy();
      await database.destroy();
    },
  };
}

/**
 * Calls `inspect` with a database that is not changed, and its version. @throws NewerDatabase; Error with the reason and without user
 * and password if the database cannot be used; the errors of `inspect`
 */
export async function inspectPostgres<T>(
  options: PostgresOptions,
  inspect: (database: Database, version: SchemaVersion) => T | Promise<T>,
): Promise<T> {
  const name = shownLocation(options.location);
  const { database } = connectToPostgres(options);
  try {
    const version = await readSchemaVersion(database);
    refuseNewerSchema(version, name);
    return await inspect(database, version);
  } catch (problem) {
    throw isUnavailable(problem) ? nameDatabase(problem, name) : problem;
  } finally {
    await database.destroy();
  }
}

/** Returns the error with the name of the database and the reason. */
function nameDatabase(problem: unknown, name: string): Error {
  if (problem instanceof NewerDatabase) return problem;
  const reason = isUnavailable(problem) ? problem.cause : problem;
  return new Error(`cannot use the database ${name}: ${messageOf(reason)}`, { cause: problem });
}

/** @throws Error if the file cannot be read or is empty */
function checkPasswordFile(path: string | undefined): void {
  if (path === undefined) return;
  let password: string;
  try {
    password = readFileSync(path, 'utf8').trim();
  } catch (cause) {
    throw new Error(`cannot read database-password-file ${path}: ${messageOf(cause)}`, { cause });
  }
  if (password === '') throw new Error(`database-password-file ${path} is empty; write the password into it`);
}
