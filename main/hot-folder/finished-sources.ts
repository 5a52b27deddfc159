/**
 * Handles the files of finished sources: moves a failed source to the subfolder `failed` and writes its error and debug log there;
 * keeps, moves or deletes a converted source.
 */
import { randomUUID } from 'node:crypto';
import { lstat, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { openFolder } from '../files/open-inside.ts';
import type { DebugLogs } from '../log/debug-logs.ts';
import type { SourceResult, SourceJob } from './convert-source.ts';
import {
  uniqueName,
  openSubFolder,
  removeSubFolder,
  temporaryPrefix,
  moveIfUnchanged,
  writeDurably,
} from './folder-file.ts';
import { doneFolder, failedFolder } from './folder-settings.ts';
import { companionFolderNames } from './receive-source.ts';
import { sourceOf } from './source-names.ts';
import { renameWithRetry } from '../files/rename-with-retry.ts';

type FinishedSource = Pick<SourceJob, 'folder' | 'source' | 'signature' | 'settings'>;

const errorSuffix = '.error.txt';
const logSuffix = '.log.html';

/**
 * Moves a failed source to the subfolder `failed`, with its error and debug log. If the source has changed since, the newer
 * version stays in the hot folder.
 * @throws errors of moving and writing
 */
export async function moveFailedSource(
  finished: FinishedSource,
  result: Extract<SourceResult, { kind: 'failed' }>,
  debugLogs: Pick<DebugLogs, 'render'>,
): Promise<void> {
  const { folder, source } = finished;
  await using opened = await openFolder(folder);
  await using failed = await openSubFolder(folder, failedFolder);
  const name = await uniqueName(failed.path, source.name, [errorSuffix, logSuffix]);
  const from = join(opened.path, source.name);
  const to = join(failed.path, name);
  const isMoved = await moveIfUnchanged(from, to, finished.signature);
  const modeSource = isMoved ? to : from;
  await writeDurably(to + errorSuffix, errorLineOf(result), modeSource);
  const log =
    result.debugLog === undefined ? undefined : await debugLogs.render(result.debugLog, { format: 'html' });
  if (log?.body !== undefined) await writeDurably(to + logSuffix, log.body, modeSource);
  if (isMoved) await moveCompanionFolders(finished, opened.path, join(failed.path, name));
}

/** Returns the content of the error file, one line. */
function errorLineOf({ failure, job }: Extract<SourceResult, { kind: 'failed' }>): string {
  const { status, reason, message } = failure;
  const oneLine = message.replace(/\s+/g, ' ');
  return `${status}.${reason} - ${oneLine} (${new Date().toISOString()}, job ${job})\n`;
}

/** Keeps, moves or deletes a converted source, as the setting `after` says. @throws errors of moving and deleting */
export async function finishConvertedSource(finished: FinishedSource): Promise<void> {
  const { folder, source, signature, settings } = finished;
  if (settings.after === 'keep') return;
  await using opened = await openFolder(folder);
  const from = join(opened.path, source.name);
  if (settings.after === 'move') {
    await using done = await openSubFolder(folder, doneFolder);
    const to = join(done.path, await uniqueName(done.path, source.name, []));
    if (await moveIfUnchanged(from, to, signature)) await moveCompanionFolders(finished, opened.path, to);
    return;
  }
  const temporaryFile = join(opened.path, `${temporaryPrefix}${randomUUID()}.tmp`);
  if (!(await moveIfUnchanged(from, temporaryFile, signature))) return;
  await rm(temporaryFile, { force: true });
  for (const name of await companionFolders(finished, opened.path)) await removeSubFolder(folder, name);
}

/**
 * Moves the folders with the files of a saved page (companion folders), and renames them to match the page's new path. `opened` is
 * the path of the open hot folder.
 */
async function moveCompanionFolders(finished: FinishedSource, opened: string, page: string): Promise<void> {
  const stem = sourceOf(basename(page))?.stem ?? basename(page);
  for (const name of await companionFolders(finished, opened)) {
    const ending = name.slice(finished.source.stem.length);
    const free = await uniqueName(dirname(page), stem + ending, []);
    await renameWithRetry(join(opened, name), join(dirname(page), free));
  }
}

/** Returns the names of the companion folders that exist, or an empty list if pages may not load their files. */
async function companionFolders({ source, settings }: FinishedSource, opened: string): Promise<string[]> {
  if (settings.assets !== 'own' || source.isArchive) return [];
  const found: string[] = [];
  for (const name of companionFolderNames({ source }))
    if (await isFolder(join(opened, name))) found.push(name);
  return found;
}

async function isFolder(path: string): Promise<boolean> {
  return lstat(path).then(
    (stats) => stats.isDirectory(),
    () => false,
  );
}
