/** Creates the data folder of a service, changes its owner to the service's user, and removes it. */
import { chown, readdir, rm, rmdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { dataFolderPid } from '../../launch/data-folder-lock.ts';
import { makeFolder } from '../../launch/make-folder.ts';
import { isDataFolderUsed } from '../../upgrade/backup.ts';
import type { StoredPlan } from './plan.ts';
import type { Identity } from './service-host.ts';

/**
 * Creates the folder if missing. Resolves with whether this call created it.
 * @throws Error with a one-sentence message if it contains files and belongs to another user
 */
export async function prepareDataFolder(
  { data, as }: StoredPlan,
  identity: Identity | undefined,
): Promise<{ readonly isNew: boolean }> {
  let isNew = false;
  try {
    makeFolder(dirname(data));
    // An existing folder keeps its mode.
    isNew = makeFolder(data, 0o700);
  } catch (cause) {
    const { code = 'unknown' } = cause as NodeJS.ErrnoException;
    throw new Error(`${data} cannot be created (${code}).`, { cause });
  }
  const { uid } = await stat(data);
  if (identity === undefined || uid === identity.uid) return { isNew };
  if ((await readdir(data)).length > 0)
    throw new Error(
      `${data} contains files and does not belong to ${as}; give it to that user (chown -R ${as}: '${data}'), or name its owner with --as.`,
    );
  await chown(data, identity.uid, identity.gid);
  return { isNew };
}

/** Files that Platen creates in its data folder, all those of the table in docs/operations.md. The folder may contain other files. */
const platenFiles =
  /^(accounts\.sqlite.*|backups|browser|config\.json.*|debug-logs|encryption\.key(\.new)?|first-key\.json|fontconfig|job-files|kept-inputs|platen\.(lock|log|pid|url).*|preferences\.json|self-test\.json|service-check(\.txt)?|service\.out|stop-request|tray|(upgrade|version)\.json.*|window\.json|work)$/;

/** Files that may exist before version.json: settings, files of a start that failed early, and stop requests. */
const filesBeforeInstall =
  /^(config\.json.*|platen\.(lock|log|pid|url).*|service-check(\.txt)?|service\.out|stop-request|version\.json\.new)$/;

/**
 * Checks that Platen has used the folder, or that it contains only files from before the first start. Other file names prove
 * nothing: any folder may contain `work` or `backups`.
 * @throws Error with a one-sentence message
 */
export async function assertPlatenFolder(data: string): Promise<void> {
  const names = await readdir(data).catch(() => []);
  if (isDataFolderUsed(data) || names.every((name) => filesBeforeInstall.test(name))) return;
  throw new Error(
    `${data} contains files but no Platen database (accounts.sqlite, version.json), so nothing is removed; check the folder, or run without --purge.`,
  );
}

/** On Windows, a virus scanner or a process that is just ending may have a file open. The delays grow, to 3.6 s in all. */
const maxRetries = 8;

/**
 * Deletes Platen's files and resolves with the names of the remaining files.
 * @throws Error with a one-sentence message if the folder is in use or not a data folder of Platen
 */
export async function removePlatenFiles(data: string): Promise<string[]> {
  const names = await readdir(data).catch(() => undefined);
  if (names === undefined) return [];
  await assertPlatenFolder(data);
  const pid = dataFolderPid(data);
  if (pid !== undefined)
    throw new Error(
      `${data} is still used by process ${pid}, so nothing was removed; stop that process first.`,
    );
  for (const name of names.filter((entry) => platenFiles.test(entry)))
    await rm(join(data, name), { recursive: true, maxRetries });
  // Deletes the folder `fonts` only if it is empty, because it may contain the only copy of a font.
  await rmdir(join(data, 'fonts')).catch(() => {});
  const remaining = await readdir(data);
  if (remaining.length === 0) await rmdir(data);
  return remaining;
}
