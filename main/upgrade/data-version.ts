/** version.json of a data folder: its format, how far its database is, and which program wrote it last. */
import { readFileSync } from 'node:fs';
import { open, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';

export interface DataVersion {
  /** Counts up with each change that an older program could not read; 0: of a time before there was this file. */
  readonly format: number;
  /** The last migration of the accounts database; empty: nobody has looked. */
  readonly database: string;
  /** Of the program. */
  readonly version: string;
}

/** An upgrade under way, in upgrade.json: found again when it was cut short. */
export interface Upgrading extends DataVersion {
  /** Name of its backup in `backups`. */
  readonly backup: string;
}

const [versionFile, upgradeFile] = ['version.json', 'upgrade.json'];

/** Undefined when there is none. @throws Error with one sentence when it cannot be read */
export function readVersion(data: string): DataVersion | undefined {
  return read(data, versionFile);
}

/** @throws Error with one sentence when it cannot be read */
export function readUpgrading(data: string): Upgrading | undefined {
  const found = read(data, upgradeFile);
  if (found === undefined) return undefined;
  const { backup } = found as Partial<Upgrading>;
  if (typeof backup === 'string' && /^\w[\w.+-]*$/.test(backup)) return { ...found, backup };
  throw new Error(unreadable(data, upgradeFile, 'it names no backup'));
}

/** On the disk before it returns. @throws what writing throws */
export async function writeVersion(data: string, version: DataVersion): Promise<void> {
  await write(join(data, versionFile), version);
}

export async function writeUpgrading(data: string, upgrading: Upgrading): Promise<void> {
  await write(join(data, upgradeFile), upgrading);
}

export async function endUpgrading(data: string): Promise<void> {
  await rm(join(data, upgradeFile), { force: true });
}

function read(data: string, file: string): DataVersion | undefined {
  const text = textOf(data, file);
  if (text === undefined) return undefined;
  const { format, database = '', version = 'unknown', ...others } = parsed(data, file, text);
  if (Number.isSafeInteger(format) && typeof database === 'string' && typeof version === 'string')
    return { ...others, format: Number(format), database, version };
  throw new Error(unreadable(data, file, 'it says no format'));
}

function textOf(data: string, file: string): string | undefined {
  try {
    return readFileSync(join(data, file), 'utf8');
  } catch (problem) {
    const code = (problem as NodeJS.ErrnoException).code ?? '';
    // A folder that cannot be read at all is told by its lock.
    if (['ENOENT', 'ENOTDIR', 'EACCES'].includes(code)) return undefined;
    throw new Error(unreadable(data, file, code), { cause: problem });
  }
}

function parsed(data: string, file: string, text: string): Record<string, unknown> {
  try {
    const content: unknown = JSON.parse(text);
    return typeof content === 'object' && content !== null ? { ...content } : {};
  } catch (problem) {
    throw new Error(unreadable(data, file, 'it is no JSON'), { cause: problem });
  }
}

function unreadable(data: string, file: string, why: string): string {
  return `${join(data, file)} cannot be read: ${why}; restore it from a backup of the data folder (docs/upgrade.md).`;
}

async function write(path: string, content: object): Promise<void> {
  const made = `${path}.new`;
  const file = await open(made, 'w', 0o644);
  try {
    // The command line may be root's, and the service another user's, whose folder it is.
    const { uid, gid } = await stat(dirname(path));
    await file.chown(uid, gid).catch(() => {});
    await file.writeFile(`${JSON.stringify(content, undefined, 2)}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(made, path);
}
