/** `platen upgrade --check`: lists what the first start of this version changes, and whether running nodes can continue. */
import { existsSync } from 'node:fs';
import { listNodes } from '../../accounts/nodes/node-records.ts';
import { oldestCompatibleMigration } from '../../accounts/store/migration-names.ts';
import { inspectPostgres, postgresOptionsOf } from '../../accounts/store/postgres/postgres-database.ts';
import { refuseNewerSchema, type SchemaVersion } from '../../accounts/store/schema-version.ts';
import { databasePath, databaseVersion } from '../../accounts/store/sqlite/sqlite-database.ts';
import type { Database } from '../../accounts/store/tables.ts';
import type { LoadedSettings } from '../../settings/load.ts';
import { shownLocation, type PostgresLocation } from '../../settings/postgres-location.ts';
import { isDataFolderUsed } from '../../upgrade/backup.ts';
import { needsUpgrade } from '../../upgrade/upgrade.ts';
import { parseArguments } from '../arguments.ts';
import { settingsOf, storeFlags } from './open-store.ts';
import { UsageProblem } from '../terminal.ts';

/** Output of `platen upgrade --help`. */
const upgradeHelp = `usage: platen upgrade --check [--data DIR] [--database URL]

Lists what the first start of this version changes in the data folder and in the database. Changes nothing itself.
Exit code 0: nodes of other versions can continue during the upgrade, or there are none.
          1: stop all other nodes before the first start of this version.
          3: the data folder or the database was written by a newer version, which this version cannot use.`;

/**
 * Runs the command and resolves with the exit code.
 * @throws UsageProblem, SettingProblem, NewerDataFolder, NewerDatabase, Error with a one-sentence message
 */
export async function upgrade(parameters: readonly string[]): Promise<number> {
  if (parameters.includes('--help')) {
    process.stdout.write(`${upgradeHelp}\n`);
    return 0;
  }
  const parsed = parseArguments(parameters, { check: 'switch', ...storeFlags });
  if (!parsed.flags.has('check') || parsed.positionals.length > 0)
    throw new UsageProblem(
      'usage: platen upgrade --check; the upgrade itself happens when this version starts for the first time',
    );
  const settings = settingsOf(parsed);
  print(dataFolderLine(settings));
  if (settings.database !== undefined) return await checkPostgres(settings.database, settings);
  const version = databaseVersion(databasePath(settings.data));
  if (version !== undefined) {
    refuseNewerSchema(version, databasePath(settings.data));
    print(`accounts ${databasePath(settings.data)}: ${schemaText(version)}`);
  }
  return 0;
}

function dataFolderLine({ data }: LoadedSettings): string {
  if (!existsSync(data) || !isDataFolderUsed(data))
    return `data folder ${data}: new, so there is nothing to upgrade`;
  return needsUpgrade(data)
    ? `data folder ${data}: has an older format; the first start upgrades it and keeps a copy in its backups`
    : `data folder ${data}: up to date`;
}

function schemaText({ last, pending }: SchemaVersion): string {
  return pending.length === 0
    ? `up to date (${last})`
    : `at ${last}; the first start applies ${pending.join(', ')}`;
}

async function checkPostgres(location: PostgresLocation, settings: LoadedSettings): Promise<number> {
  return await inspectPostgres(postgresOptionsOf(location, settings), async (database, version) => {
    print(`database ${shownLocation(location)}: ${schemaText(version)}`);
    return await checkNodes(database, version);
  });
}

/** Prints the running nodes, and returns the exit code. */
async function checkNodes(database: Database, version: SchemaVersion): Promise<number> {
  if (version.last < '0004-nodes') return 0;
  const nodes = await listNodes(database);
  for (const { name, version: nodeVersion } of nodes) print(`node ${name}: runs version ${nodeVersion}`);
  if (nodes.length === 0) print('no node is running');
  if (version.pending.length === 0 || version.last >= oldestCompatibleMigration) {
    if (nodes.length > 0) print('these nodes can go on working while nodes of this version start');
    return 0;
  }
  if (nodes.length === 0) return 0;
  print('these nodes cannot use the new schema: stop them before the first start of this version');
  return 1;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
