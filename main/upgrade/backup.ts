/** Backups of what an upgrade may change: made whole or not at all, kept for the last three, and put back when it was cut short. */
import { existsSync } from 'node:fs';
import { chmod, copyFile, mkdir, open, readdir, realpath, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** Those of the data folder that hold what nobody has twice. */
const database = 'accounts.sqlite';
const files = ['config.json', 'version.json'];

const kept = 3;
const unfinished = '.unfinished';

export function backupsFolder(data: string): string {
  return join(data, 'backups');
}

/** Whether a program has worked with it; settings alone are written before the first start, too. */
export function isInstalled(data: string): boolean {
  return [database, 'version.json'].some((name) => existsSync(join(data, name)));
}

/** Returns the backup's name, `<date>-<from>`; it is on the disk then. @throws what writing throws; nothing is left then */
export async function makeBackup(data: string, from: string, now = new Date()): Promise<string> {
  const date = now.toISOString().slice(0, 23).replaceAll(':', '');
  const name = freeName(data, `${date}-${from.replace(/[^\w.+-]/g, '_')}`);
  const folder = join(backupsFolder(data), name + unfinished);
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    for (const file of files.filter((one) => existsSync(join(data, one))))
      await copyFile(join(data, file), join(folder, file));
    if (existsSync(join(data, database))) await copyDatabase(join(data, database), join(folder, database));
    for (const file of await readdir(folder)) await settle(join(folder, file));
    await settle(folder).catch(() => {});
    await rename(folder, join(backupsFolder(data), name));
    await settle(backupsFolder(data)).catch(() => {});
    return name;
  } catch (problem) {
    await rm(folder, { recursive: true, force: true });
    throw problem;
  }
}

/** Else a machine that loses power would put an empty backup in the place of what it was made of. Not all systems do so for folders. */
async function settle(path: string): Promise<void> {
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

/** One file, whatever is still in the write-ahead file (sqlite.org/lang_vacuum.html#vacuuminto). */
async function copyDatabase(from: string, to: string): Promise<void> {
  const { DatabaseSync } = await import('@photostructure/sqlite');
  const opened = new DatabaseSync(from);
  try {
    opened.exec('PRAGMA busy_timeout = 2000');
    opened.prepare('VACUUM INTO ?').run(to);
  } finally {
    opened.close();
  }
  await chmod(to, 0o600);
}

/** @throws Error with one sentence when the backup is gone, what writing throws */
export async function restoreBackup(data: string, name: string): Promise<void> {
  const folder = join(backupsFolder(data), name);
  if (!existsSync(folder))
    throw new Error(
      `an upgrade of the data folder ${data} was cut short, and its backup ${folder} is gone; restore the folder from a backup of your own.`,
    );
  // First: what it holds belongs to the database that goes, and would be read into the one that comes.
  if (existsSync(join(folder, database)))
    for (const ending of ['-wal', '-shm']) await rm(join(data, database + ending), { force: true });
  // Written last, so it is of the upgrade that is taken back where the backup has none.
  if (!existsSync(join(folder, 'version.json'))) await rm(join(data, 'version.json'), { force: true });
  for (const file of [database, ...files].filter((one) => existsSync(join(folder, one)))) {
    // config.json may be a link, and stays one.
    const place = await realpath(join(data, file)).catch(() => join(data, file));
    const made = `${place}.restored`;
    await copyFile(join(folder, file), made);
    await settle(made);
    await rename(made, place);
  }
}

/** One that has been put back says nothing the folder does not. Never rejects. */
export async function dropBackup(data: string, name: string): Promise<void> {
  await rm(join(backupsFolder(data), name), { recursive: true, force: true }).catch(() => {});
}

/** The oldest go, and what a crash has left half-made. Never rejects: a backup too many does no harm. */
export async function pruneBackups(data: string): Promise<void> {
  const names = (await readdir(backupsFolder(data)).catch(() => [])).filter((name) =>
    /^\d{4}-\d\d-\d\dT\d{6}\.\d{3}-/.test(name),
  );
  const whole = names.filter((name) => !name.endsWith(unfinished)).sort();
  const broken = names.filter((name) => name.endsWith(unfinished));
  for (const name of [...broken, ...whole.slice(0, -kept)]) await dropBackup(data, name);
}
