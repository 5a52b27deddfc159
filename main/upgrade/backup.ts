/** Backups of the data folder before an upgrade. A backup is either complete or absent. Only the last three are kept. */
import { existsSync } from 'node:fs';
import { chmod, copyFile, mkdir, open, readdir, realpath, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { renameWithRetry } from '../files/rename-with-retry.ts';

/** The files in the data folder that cannot be recreated. */
const database = 'accounts.sqlite';
const files = ['config.json', 'version.json'];

const maxBackups = 3;
const unfinishedSuffix = '.unfinished';

export function backupsFolder(data: string): string {
  return join(data, 'backups');
}

/** Returns whether the service has used the data folder. Settings alone do not count: they may exist before the first start. */
export function isDataFolderUsed(data: string): boolean {
  return [database, 'version.json'].some((name) => existsSync(join(data, name)));
}

/**
 * Writes a backup to the disk and returns its name, `<date>-<from>`. If that fails, leaves no files.
 * @throws the error of writing
 */
export async function makeBackup(data: string, from: string, now = new Date()): Promise<string> {
  const date = now.toISOString().slice(0, 23).replaceAll(':', '');
  const name = freeName(data, `${date}-${from.replace(/[^\w.+-]/g, '_')}`);
  const folder = join(backupsFolder(data), name + unfinishedSuffix);
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    for (const file of files.filter((name) => existsSync(join(data, name))))
      await copyFile(join(data, file), join(folder, file));
    if (existsSync(join(data, database))) await copyDatabase(join(data, database), join(folder, database));
    for (const file of await readdir(folder)) await flush(join(folder, file));
    await flush(folder).catch(() => {});
    await renameWithRetry(folder, join(backupsFolder(data), name));
    await flush(backupsFolder(data)).catch(() => {});
    return name;
  } catch (problem) {
    await rm(folder, { recursive: true, force: true });
    throw problem;
  }
}

/** Flushes a file to the disk, so that a power failure cannot leave an empty file. Some systems cannot flush folders. */
async function flush(path: string): Promise<void> {
  const opened = await open(path, 'r+').catch(() => open(path, 'r'));
  try {
    await opened.sync();
  } finally {
    await opened.close();
  }
}

function freeName(data: string, name: string): string {
  for (let number = 1; ; number += 1) {
    const candidate = number === 1 ? name : `${name}.${number}`;
    if (!existsSync(join(backupsFolder(data), candidate))) return candidate;
  }
}

/** Copies the database together with its write-ahead log into one file (sqlite.org/lang_vacuum.html#vacuuminto). */
async function copyDatabase(from: string, to: string): Promise<void> {
  const { DatabaseSync } = await import('@photostructure/sqlite');
  const opened = new DatabaseSync(from);
  try {
    opened.exec('PRAGMA busy_timeout = 2000');
    // Without a prepared statement, so that closing the database closes its files.
    opened.exec(`VACUUM INTO '${to.replaceAll("'", "''")}'`);
  } finally {
    opened.close();
  }
  await chmod(to, 0o600);
}

/** Restores a backup. @throws Error with a one-sentence message if the backup is missing; the file system's error */
export async function restoreBackup(data: string, name: string): Promise<void> {
  const folder = join(backupsFolder(data), name);
  if (!existsSync(folder))
    throw new Error(
      `an upgrade of the data folder ${data} was interrupted, and its backup ${folder} is missing; restore the folder from your own backup.`,
    );
  // This process itself may still have the database open, from the failed migration.
  const { closeUnusedFiles } = await import('../accounts/store/sqlite/sqlite-database.ts');
  await closeUnusedFiles();
  // Deletes the write-ahead log first: it belongs to the replaced database, and SQLite would apply it to the restored database.
  if (existsSync(join(folder, database)))
    for (const ending of ['-wal', '-shm'])
      await rm(join(data, database + ending), { force: true, maxRetries: 5 });
  // If the backup has no version.json, the existing file was written by the upgrade that is being rolled back.
  if (!existsSync(join(folder, 'version.json'))) await rm(join(data, 'version.json'), { force: true });
  for (const file of [database, ...files].filter((name) => existsSync(join(folder, name)))) {
    // If config.json is a symbolic link, it remains a link.
    const target = await realpath(join(data, file)).catch(() => join(data, file));
    const temporary = `${target}.restored`;
    await copyFile(join(folder, file), temporary);
    await flush(temporary);
    await renameWithRetry(temporary, target);
  }
}

/** Deletes a backup, for example one that has been restored. Never rejects. */
export async function dropBackup(data: string, name: string): Promise<void> {
  await rm(join(backupsFolder(data), name), { recursive: true, force: true }).catch(() => {});
}

/** Deletes the oldest and the incomplete backups. Never rejects, because an extra backup does no harm. */
export async function pruneBackups(data: string): Promise<void> {
  const names = (await readdir(backupsFolder(data)).catch(() => [])).filter((name) =>
    /^\d{4}-\d\d-\d\dT\d{6}\.\d{3}-/.test(name),
  );
  const complete = names.filter((name) => !name.endsWith(unfinishedSuffix)).sort();
  const incomplete = names.filter((name) => name.endsWith(unfinishedSuffix));
  for (const name of [...incomplete, ...complete.slice(0, -maxBackups)]) await dropBackup(data, name);
}
