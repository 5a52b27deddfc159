/**
 * The data folder at the start: one that a newer program has written is refused, an older one is brought up to date after a
 * backup. It works in plain Node, and loads the database only when there is something to do.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { migrations as databaseMigrations } from '../accounts/migrations.ts';
import { readConfigText } from '../settings/config-file.ts';
import { renameInConfig, replaceConfig } from '../settings/config-change.ts';
import { renamedSettings } from '../settings/renamed.ts';
import { backupsFolder, dropBackup, isInstalled, makeBackup, pruneBackups, restoreBackup } from './backup.ts';
import { dataMigrations, type DataMigration } from './data-migrations.ts';
import {
  endUpgrading,
  readUpgrading,
  readVersion,
  writeUpgrading,
  writeVersion,
  type DataVersion,
} from './data-version.ts';
import { ownVersion } from './own-version.ts';

export interface UpgradeParts {
  /** Absolute; the caller holds its lock. */
  readonly data: string;
  /** Is told one line for the operator when something was done. */
  readonly say: (line: string) => void;
  readonly migrations?: readonly DataMigration[];
  readonly renamed?: Readonly<Record<string, string>>;
  readonly version?: string;
}

/** A newer program has written the data folder; the message says which, and what to do. No later start does better. */
export class NewerDataFolder extends Error {
  override readonly name = 'NewerDataFolder';
}

/** @throws NewerDataFolder, Error with one sentence */
export function refuseNewer(data: string, migrations = dataMigrations): void {
  for (const found of [readVersion(data), readUpgrading(data)]) {
    if (found === undefined || !isNewer(found, migrations)) continue;
    throw new NewerDataFolder(
      `the data folder ${data} was written by Platen ${found.version}, a newer version than this one (${ownVersion()}), which cannot read it; start that version or a newer one, or restore a backup from before it (${backupsFolder(data)}, docs/upgrade.md).`,
    );
  }
}

/** @throws Error with one sentence */
export function needsUpgrade(data: string): boolean {
  const found = readVersion(data);
  if (readUpgrading(data) !== undefined) return true;
  return (
    found === undefined || found.format < formatOf(dataMigrations) || found.database !== lastOfDatabase()
  );
}

/** @throws NewerDataFolder, NewerDatabase; Error with one sentence. What it has changed by then is taken back, at the next start when it was killed */
export async function upgradeDataFolder({
  data,
  say,
  migrations = dataMigrations,
  renamed = renamedSettings,
  version = ownVersion(),
}: UpgradeParts): Promise<void> {
  refuseNewer(data, migrations);
  const wanted = { format: formatOf(migrations), database: lastOfDatabase(), version };
  const cut = await takeBack(data, wanted);
  const found = readVersion(data);
  const config = renamedConfig(data, renamed);
  if (cut === undefined && config === undefined && found !== undefined && isSame(found, wanted)) {
    if (found.version !== version) await writeVersion(data, wanted);
    return;
  }
  if (cut === undefined && config === undefined && !isInstalled(data)) {
    await writeVersion(data, wanted);
    return;
  }
  await refuseNewerDatabase(data);
  const backup = cut ?? (await backUp(data, found));
  await writeUpgrading(data, { ...wanted, backup });
  await migrate({ data, migrations, config, from: found?.format ?? 0 }).catch(async (problem: unknown) => {
    await restoreBackup(data, backup);
    await endUpgrading(data);
    // Each start that fails would leave one more, and a service is started again and again.
    await dropBackup(data, backup);
    throw problem;
  });
  await writeVersion(data, wanted);
  await endUpgrading(data);
  await pruneBackups(data);
  const place = join(backupsFolder(data), backup);
  say(`the data folder ${data} has been upgraded for Platen ${version}; as it was before it is in ${place}.`);
}

/** One without a version.json beside it, which would have said so: before a backup is made of it. */
async function refuseNewerDatabase(data: string): Promise<void> {
  const database = await import('../accounts/database.ts');
  database.refuseNewerDatabase(database.databasePath(data));
}

function formatOf(migrations: readonly DataMigration[]): number {
  return migrations.at(-1)?.to ?? 0;
}

function lastOfDatabase(): string {
  return Object.keys(databaseMigrations).sort().at(-1) ?? '';
}

function isNewer({ format, database }: DataVersion, migrations: readonly DataMigration[]): boolean {
  return format > formatOf(migrations) || (database !== '' && !Object.hasOwn(databaseMigrations, database));
}

function isSame(one: DataVersion, other: DataVersion): boolean {
  return one.format === other.format && one.database === other.database;
}

/** The backup of an upgrade that was cut short, which is in its place again. */
async function takeBack(data: string, wanted: DataVersion): Promise<string | undefined> {
  const cut = readUpgrading(data);
  if (cut === undefined) return undefined;
  const found = readVersion(data);
  if (found !== undefined && isSame(found, cut) && isSame(found, wanted)) {
    await endUpgrading(data);
    return undefined;
  }
  await restoreBackup(data, cut.backup);
  return cut.backup;
}

async function backUp(data: string, found: DataVersion | undefined): Promise<string> {
  try {
    return await makeBackup(data, found?.version ?? 'unversioned');
  } catch (problem) {
    const why = problem instanceof Error ? problem.message : String(problem);
    throw new Error(
      `the data folder ${data} is of an older version and cannot be upgraded, because its backup could not be made: ${why}; nothing was changed.`,
      { cause: problem },
    );
  }
}

interface Work {
  readonly data: string;
  readonly migrations: readonly DataMigration[];
  /** The new text of config.json. */
  readonly config: string | undefined;
  readonly from: number;
}

async function migrate({ data, migrations, config, from }: Work): Promise<void> {
  for (const { to, run } of migrations) if (to > from) await run(data);
  if (config !== undefined) await replaceConfig(join(data, 'config.json'), config);
  const { databasePath, openDatabase } = await import('../accounts/database.ts');
  if (!existsSync(databasePath(data))) return;
  await (await openDatabase(databasePath(data))).destroy();
}

/** Undefined when nothing in it is called otherwise today. */
function renamedConfig(data: string, renamed: Readonly<Record<string, string>>): string | undefined {
  const path = join(data, 'config.json');
  const text = readConfigText(path);
  return text === undefined ? undefined : renameInConfig(text, renamed);
}
