/** Whether the folders the service writes to take what is written, and how much room there is. */
import { randomUUID } from 'node:crypto';
import { readFile, rm, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { whyUnusable } from '../failure/no-room.ts';
import type { Check, Warned } from './check.ts';

export const dataFolder: Check = {
  name: 'data folder',
  advice: 'Give the user the service runs as the right to write there, and see that the disk is sound.',
  run: ({ settings }) => tryFolder(settings.data),
};

export const workFolder: Check = {
  name: 'work folder',
  advice: 'Restart the service, which makes it anew; see that its user may write there.',
  run: ({ workFolder: folder }) => tryFolder(folder),
};

/** Bytes. */
const [least, comfortable] = [100e6, 1e9];

export const diskSpace: Check = {
  name: 'disk space',
  advice: 'Delete what is not needed on that disk, or let --data name a folder on a larger one.',
  async run({ settings }): Promise<string | Warned> {
    const { bavail, bsize } = await statfs(settings.data);
    const free = `${inMegabytes(bavail * bsize)} are free for the data folder`;
    if (bavail * bsize < least) throw new Error(`only ${free}`);
    if (bavail * bsize >= comfortable) return `${free}.`;
    return { warning: `Only ${free}; a large upload with what is made of it may not fit.` };
  },
};

export function inMegabytes(bytes: number): string {
  return `${Math.round(bytes / 1e6).toLocaleString('en')} MB`;
}

async function tryFolder(folder: string): Promise<string> {
  const path = join(folder, `self-test-${randomUUID()}`);
  try {
    await writeFile(path, path, { mode: 0o600 });
    if ((await readFile(path, 'utf8')) !== path)
      throw new Error(`what was read in ${folder} is not what was written`);
    return `A file was written in ${folder}, read and deleted.`;
  } catch (problem) {
    const { code } = problem as NodeJS.ErrnoException;
    if (code === undefined) throw problem;
    throw new Error(`${folder} cannot be written: ${whyUnusable({ code })}`, { cause: problem });
  } finally {
    await rm(path, { force: true }).catch(() => {});
  }
}
