/**
 * Checks the data folder at the start: refuses a folder of a newer version, and upgrades a folder of an older version after a
 * backup. Runs in plain Node, and loads the database library only if an upgrade is needed.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join, dirname } from 'node:path';
import { open, rm, stat } from 'node:fs/promises';
import { migrationNames } from '../accounts/store/migration-names.ts';
import { readConfigText } from '../settings/config-file.ts';
import { renameInConfig, replaceConfig } from '../settings/config-change.ts';
import { renamedSettings } from '../settings/table.ts';
import {
  backupsFolder,
  dropBackup,
  isDataFolderUsed,
  makeBackup,
  pruneBackups,
  restoreBackup,
} from './backup.ts';
import { messageOf } from '../failure/failure.ts';
import { renameWithRetry } from '../files/rename-with-retry.ts';

interface UpgradeOptions {
  /** Absolute path of the data folder. The caller holds its lock. */
  readonly data: string;
  /** Called with one line for the operator after an upgrade. */
  readonly onNote: (line: string) => void;
  readonly migrations?: readonly DataMigration[];
  readonly renamed?: Readonly<Record<string, string>>;
  readonly version?: string;
}

/** Thrown if a newer version of Platen has written the data folder. A restart does not help. */
export class NewerDataFolder extends Error {
  override readonly name = 'NewerDataFolder';
}

/**
 * Refuses a data folder that a newer version of Platen has written.
 * @throws NewerDataFolder, Error with a one-sentence message
 */
export function refuseNewer(data: string, migrations = dataMigrations): void {
  for (const found of [readVersion(data), readUpgrading(data)]) {
    if (found === undefined || !isNewer(found, migrations)) continue;
    throw new NewerDataFolder(
      `the data folder ${data} was written by Platen ${found.version}, a newer version than this one (${ownVersion()}), which cannot read it; start that version or a newer one, or restore a backup from before it (${backupsFolder(data)}, docs/upgrade.md).`,
    );
  }
}

/** Returns whether the data folder needs an upgrade. @throws Error with a one-sentence message */
export function needsUpgrade(data: string): boolean {
  const found = readVersion(data);
  if (readUpgrading(data) !== undefined) return true;
  return (
    found === undefined || found.format < formatOf(dataMigrations) || found.database !== lastOfDatabase()
  );
}

/**
 * Upgrades the data folder if necessary. Rolls back a failed upgrade. The next start rolls back an upgrade that was killed.
 * @throws NewerDataFolder, NewerDatabase; Error with a one-sentence message
 */
export async function upgradeDataFolder({
  data,
  onNote,
  migrations = dataMigrations,
  renamed = renamedSettings,
  version = ownVersion(),
}: UpgradeOptions): Promise<void> {
  refuseNewer(data, migrations);
  const current = { format: formatOf(migrations), database: lastOfDatabase(), version };
  const interrupted = await rollBackInterrupted(data, current);
  const found = readVersion(data);
  const config = renamedConfig(data, renamed);
  if (interrupted === undefined && config === undefined && found !== undefined && isSame(found, current)) {
    if (found.version !== version) await writeVersion(data, current);
    return;
  }
  if (interrupted === undefined && config === undefined && !isDataFolderUsed(data)) {
    await writeVersion(data, current);
    return;
  }
  await refuseNewerDatabase(data);
  const backup = interrupted ?? (await backUp(data, found));
  await writeUpgrading(data, { ...current, backup });
  await migrate({ data, migrations, config, from: found?.format ?? 0 }).catch(async (problem: unknown) => {
    await restoreBackup(data, backup);
    await endUpgrading(data);
    // The backup is identical to the restored folder. Without this, every failed start would leave another backup.
    await dropBackup(data, backup);
    throw problem;
  });
  await writeVersion(data, current);
  await endUpgrading(data);
  await pruneBackups(data);
  const backupPath = join(backupsFolder(data), backup);
  onNote(
    `the data folder ${data} has been upgraded for Platen ${version}; the previous state is in ${backupPath}.`,
  );
}

/**
 * Refuses a database that a newer version of Platen has written, before the backup is made. `refuseNewer` does not detect it if
 * version.json is missing.
 */
async function refuseNewerDatabase(data: string): Promise<void> {
  const database = await import('../accounts/store/sqlite/sqlite-database.ts');
  database.refuseNewerDatabase(database.databasePath(data));
}

function formatOf(migrations: readonly DataMigration[]): number {
  return migrations.at(-1)?.to ?? 0;
}

function lastOfDatabase(): string {
  return migrationNames.at(-1) ?? '';
}

function isNewer({ format, database }: DataVersion, migrations: readonly DataMigration[]): boolean {
  return (
    format > formatOf(migrations) ||
    (database !== '' && !(migrationNames as readonly string[]).includes(database))
  );
}

function isSame(left: DataVersion, right: DataVersion): boolean {
  return left.format === right.format && left.database === right.database;
}

/** Restores the backup of an interrupted upgrade and returns its name; undefined if no upgrade needs to be rolled back. */
async function rollBackInterrupted(data: string, current: DataVersion): Promise<string | undefined> {
  const interrupted = readUpgrading(data);
  if (interrupted === undefined) return undefined;
  const found = readVersion(data);
  if (found !== undefined && isSame(found, interrupted) && isSame(found, current)) {
    await endUpgrading(data);
    return undefined;
  }
  await restoreBackup(data, interrupted.backup);
  return interrupted.backup;
}

async function backUp(data: string, found: DataVersion | undefined): Promise<string> {
  try {
    return await makeBackup(data, found?.version ?? 'unversioned');
  } catch (problem) {
    const why = messageOf(problem);
    throw new Error(
      `the data folder ${data} is of an older version and cannot be upgraded, because its backup could not be made: ${why}; nothing was changed.`,
      { cause: problem },
    );
  }
}

interface MigrationRun {
  readonly data: string;
  readonly migrations: readonly DataMigration[];
  /** The new text of config.json; undefined if the file does not change. */
  readonly config: string | undefined;
  readonly from: number;
}

async function migrate({ data, migrations, config, from }: MigrationRun): Promise<void> {
  for (const { to, run } of migrations) if (to > from) await run(data);
  if (config !== undefined) await replaceConfig(join(data, 'config.json'), config);
  const { databasePath, openDatabase } = await import('../accounts/store/sqlite/sqlite-database.ts');
  if (!existsSync(databasePath(data))) return;
  await (await openDatabase(databasePath(data))).destroy();
}

/** Returns the text of config.json with old setting names replaced with current ones; undefined if it contains no old names. */
function renamedConfig(data: string, renamed: Readonly<Record<string, string>>): string | undefined {
  const path = join(data, 'config.json');
  const text = readConfigText(path);
  return text === undefined ? undefined : renameInConfig(text, renamed);
}

/**
 * A migration of the data folder. To change the format of the data folder, add a row to `dataMigrations`; never edit a released
 * row. A migration gets the folder as the previous row left it, and may run again after a crash. Migrations of the accounts
 * database are in accounts/store/migrations.ts and run in the same upgrade.
 */
export interface DataMigration {
  /** The format after the migration: one more than that of the previous row. */
  readonly to: number;
  /** Migrates the folder. @throws Error with a one-sentence message; the folder is then unchanged */
  readonly run: (data: string) => Promise<void>;
}

const dataMigrations: readonly DataMigration[] = [
  // For data folders without version.json. Only the database changes.
  { to: 1, run: () => Promise.resolve() },
];

/** Returns the version of Platen from the nearest package.json of Platen above this file, compiled or source. */
function ownVersion(from = import.meta.dirname): string {
  for (let folder = from; folder !== dirname(folder); folder = dirname(folder)) {
    const version = versionIn(join(folder, 'package.json'));
    if (version !== undefined) return version;
  }
  return 'unknown';
}

function versionIn(path: string): string | undefined {
  try {
    const { name, version } = JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown>;
    return name === 'platen' && typeof version === 'string' ? version : undefined;
  } catch {
    return undefined;
  }
}

// version.json: the format of the data folder, the last migration of its database, and the last version of Platen that wrote it.

interface DataVersion {
  /** Increases with each change that older versions cannot read. 0 means a data folder without version.json. */
  readonly format: number;
  /** The name of the last migration of the accounts database; empty if unknown. */
  readonly database: string;
  /** The version of Platen. */
  readonly version: string;
}

/** An upgrade in progress, stored in upgrade.json. The file remains if the upgrade is interrupted. */
interface UpgradeInProgress extends DataVersion {
  /** The name of the backup in the folder `backups`. */
  readonly backup: string;
}

const versionFile = 'version.json';
const upgradeFile = 'upgrade.json';

/** Returns undefined if there is no version.json. @throws Error with a one-sentence message if it cannot be read */
function readVersion(data: string): DataVersion | undefined {
  return read(data, versionFile);
}

/** Returns undefined if there is no upgrade.json. @throws Error with a one-sentence message if it cannot be read */
function readUpgrading(data: string): UpgradeInProgress | undefined {
  const found = read(data, upgradeFile);
  if (found === undefined) return undefined;
  const { backup } = found as Partial<UpgradeInProgress>;
  if (typeof backup === 'string' && /^\w[\w.+-]*$/.test(backup)) return { ...found, backup };
  throw new Error(unreadable(data, upgradeFile, 'it does not name a backup'));
}

/** Writes version.json. Resolves when the file is on the disk. @throws the file system's error */
async function writeVersion(data: string, version: DataVersion): Promise<void> {
  await write(join(data, versionFile), version);
}

async function writeUpgrading(data: string, upgrading: UpgradeInProgress): Promise<void> {
  await write(join(data, upgradeFile), upgrading);
}

async function endUpgrading(data: string): Promise<void> {
  await rm(join(data, upgradeFile), { force: true });
}

function read(data: string, file: string): DataVersion | undefined {
  const text = textOf(data, file);
  if (text === undefined) return undefined;
  const { format, database = '', version = 'unknown', ...others } = parsed(data, file, text);
  if (Number.isSafeInteger(format) && typeof database === 'string' && typeof version === 'string')
    return { ...others, format: Number(format), database, version };
  throw new Error(unreadable(data, file, 'it does not contain a format'));
}

function textOf(data: string, file: string): string | undefined {
  try {
    return readFileSync(join(data, file), 'utf8');
  } catch (problem) {
    const code = (problem as NodeJS.ErrnoException).code ?? '';
    // A folder that cannot be read is reported when it is locked. On Windows, a denied access is EPERM.
    if (['ENOENT', 'ENOTDIR', 'EACCES', 'EPERM'].includes(code)) return undefined;
    throw new Error(unreadable(data, file, code), { cause: problem });
  }
}

function parsed(data: string, file: string, text: string): Record<string, unknown> {
  try {
    const content: unknown = JSON.parse(text);
    return typeof content === 'object' && content !== null ? { ...content } : {};
  } catch (problem) {
    throw new Error(unreadable(data, file, 'it is not valid JSON'), { cause: problem });
  }
}

function unreadable(data: string, file: string, why: string): string {
  return `${join(data, file)} cannot be read: ${why}; restore it from a backup of the data folder (docs/upgrade.md).`;
}

async function write(path: string, content: object): Promise<void> {
  const temporary = `${path}.new`;
  const file = await open(temporary, 'w', 0o644);
  try {
    // Gives the file to the folder's owner, because the command line may run as root, but the service as another user.
    const { uid, gid } = await stat(dirname(path));
    await file.chown(uid, gid).catch(() => {});
    await file.writeFile(`${JSON.stringify(content, undefined, 2)}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
  await renameWithRetry(temporary, path);
}
