/** The data folder of a service: made, given to its user, and taken away when that is wanted. */
import { chown, readdir, rm, rmdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { userOfDataFolder } from '../../launch/data-folder-lock.ts';
import { makeFolder } from '../../launch/make-folder.ts';
import { isInstalled } from '../../upgrade/backup.ts';
import type { KeptPlan } from './plan.ts';
import type { Identity } from './service-host.ts';

/** @throws Error with one sentence for a folder of somebody else */
export async function prepareData({ data, as }: KeptPlan, identity: Identity | undefined): Promise<void> {
  try {
    makeFolder(dirname(data));
    // Who made it before has decided for himself who may look in.
    makeFolder(data, 0o700);
  } catch (cause) {
    const { code = 'unknown' } = cause as NodeJS.ErrnoException;
    throw new Error(`${data} cannot be made (${code}).`, { cause });
  }
  const { uid } = await stat(data);
  if (identity === undefined || uid === identity.uid) return;
  if ((await readdir(data)).length > 0)
    throw new Error(
      `${data} holds files and is not ${as}'s; give it to that user (chown -R ${as}: '${data}'), or name its owner with --as.`,
    );
  await chown(data, identity.uid, identity.gid);
}

/** What Platen makes in its data folder; a folder that somebody named may hold other things too. */
const ours =
  /^(accounts\.sqlite.*|backups|browser|config\.json.*|debug-logs|fontconfig|platen\.(log|pid).*|preferences\.json|self-test\.json|service\.out|stop-request|tray|(upgrade|version)\.json.*|window\.json|work)$/;

/** What may be there before version.json is: settings, what a start has written that came no further, who asked it to stop. */
const early = /^(config\.json.*|platen\.(log|pid).*|service\.out|stop-request|version\.json\.new)$/;

/**
 * Names such as work and backups are anybody's; a folder is Platen's when it has worked with it, or only settings and what a start
 * that failed has written are in it.
 * @throws Error with one sentence
 */
export async function refuseForeign(data: string): Promise<void> {
  const names = await readdir(data).catch(() => []);
  if (isInstalled(data) || names.every((name) => early.test(name))) return;
  throw new Error(
    `${data} holds files but no database of Platen's (accounts.sqlite, version.json), so nothing in it is removed; look into it, and leave --purge away.`,
  );
}

/** Resolves with what was left, because Platen did not make it. @throws Error with one sentence for a folder in use or another's */
export async function removeData(data: string): Promise<string[]> {
  const names = await readdir(data).catch(() => undefined);
  if (names === undefined) return [];
  await refuseForeign(data);
  const user = userOfDataFolder(data);
  if (user !== undefined)
    throw new Error(`${data} is still in use by process ${user}, so it was not removed.`);
  for (const name of names.filter((one) => ours.test(one))) await rm(join(data, name), { recursive: true });
  // Of the fonts in it somebody may have no other copy.
  await rmdir(join(data, 'fonts')).catch(() => {});
  const left = await readdir(data);
  if (left.length === 0) await rmdir(data);
  return left;
}
