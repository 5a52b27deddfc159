/** Empty databases on the PostgreSQL server of this test process, which starts with the first one. */
import { randomBytes } from 'node:crypto';
import { openPostgres } from '../../../main/accounts/store/postgres/postgres-database.ts';
import { postgresLocation, type PostgresLocation } from '../../../main/settings/postgres-location.ts';
import { runStatement, startPostgres, type PostgresServer } from './server.ts';

let server: Promise<PostgresServer> | undefined;
let template: Promise<void> | undefined;

export interface PostgresDatabase extends AsyncDisposable {
  readonly url: string;
  readonly location: PostgresLocation;
}

/** Creates a database without tables. */
export async function emptyPostgresDatabase(): Promise<PostgresDatabase> {
  return await createDatabase('');
}

/** Creates a database with all tables, as a copy of one that was migrated once. */
export async function migratedPostgresDatabase(): Promise<PostgresDatabase> {
  template ??= createTemplate();
  await template;
  return await createDatabase('TEMPLATE migrated STRATEGY file_copy');
}

async function createTemplate(): Promise<void> {
  const url = await (await sharedServer()).createDatabase('migrated');
  await (await openPostgres({ location: locationOf(url) })).database.destroy();
}

async function createDatabase(options: string): Promise<PostgresDatabase> {
  const { url } = await sharedServer();
  const name = `test_${randomBytes(8).toString('hex')}`;
  await runStatement(url(), `CREATE DATABASE ${name} ${options}`);
  return {
    url: url(name),
    location: locationOf(url(name)),
    async [Symbol.asyncDispose]() {
      await runStatement(url(), `DROP DATABASE ${name} WITH (FORCE)`);
    },
  };
}

function sharedServer(): Promise<PostgresServer> {
  server ??= startPostgres();
  return server;
}

/** Returns the location that the setting `database` has for an address. */
export function locationOf(url: string): PostgresLocation {
  const location = postgresLocation.read(url);
  if (location === undefined) throw new Error(`not the address of a database: ${url}`);
  return location;
}
