/**
 * Handles the files of finished sources: moves a failed source to the subfolder `failed` and writes its error and debug log there;
 * keeps, moves or deletes a converted source.
 */
import { randomUUID } from 'node:crypto';
import { lstat, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { DebugLogs } from '../log/debug-logs.ts';
import type { SourceResult, SourceJob } from './convert-source.ts';
import {
  uniqueName,
  ensureSubFolder,
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
  const failed = await ensureSubFolder(folder, failedFolder);
  const name = await uniqueName(failed, source.name, [errorSuffix, logSuffix]);
  const from = join(folder, source.name);
  const to = join(failed, name);
  const isMoved = await moveIfUnchanged(from, to, finished.signature);
  const modeSource = isMoved ? to : from;
  await writeDurably(to + errorSuffix, errorLineOf(result), modeSource);
  const log =
    result.debugLog === undefined ? undefined : await debugLogs.render(result.debugLog, { format: 'html' });
  if (log?.body !== undefined) await writeDurably(to + logSuffix, log.body, modeSource);
  if (isMoved) await moveCompanionFolders(finished, failed, name);
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
  const from = join(folder, source.name);
  if (settings.after === 'keep') return;
  if (settings.after === 'move') {
    const done = await ensureSubFolder(folder, doneFolder);
    const name = await uniqueName(done, source.name, []);
    if (await moveIfUnchanged(from, join(done, name), signature))
      await moveCompanionFolders(finished, done, name);
    return;
  }
  const temporaryFile = join(folder, `${temporaryPrefix}${randomUUID()}.tmp`);
  if (!(await moveIfUnchanged(from, temporaryFile, signature))) return;
  await rm(temporaryFile, { force: true });
  for (const companion of await companionFolders(finished))
    await rm(companion.path, { recursive: true, force: true });
}

/** Moves the folders with the files of a saved page (companion folders), and renames them to match the page's new name. */
async function moveCompanionFolders(finished: FinishedSource, to: string, name: string): Promise<void> {
  const stem = sourceOf(name)?.stem ?? name;
  for (const { path, ending } of await companionFolders(finished)) {
    const free = await uniqueName(to, stem + ending, []);
    await renameWithRetry(path, join(to, free));
  }
}

/** Returns the companion folders that exist, or an empty list if pages may not load their files. */
async function companionFolders({ folder, source, settings }: FinishedSource) {
  if (settings.assets !== 'own' || source.isArchive) return [];
  const found: { readonly path: string; readonly ending: string }[] = [];
  for (const name of companionFolderNames({ source })) {
    const path = join(folder, name);
    if (await isFolder(path)) found.push({ path, ending: name.slice(source.stem.length) });
  }
  return found;
}

async function isFolder(path: string): Promise<boolean> {
  return lstat(path).then(
    (stats) => stats.isDirectory(),
    () => false,
  );
}
