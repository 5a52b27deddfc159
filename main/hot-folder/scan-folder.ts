/** Scans a hot folder: reads its settings and lists its sources. */
import { randomUUID } from 'node:crypto';
import { access, lstat, readdir, readFile, rm, stat, open } from 'node:fs/promises';
import { join } from 'node:path';
import { constants } from 'node:fs';
import { fileErrorReason } from '../failure/failure.ts';
import type { JobLimits } from '../job/rules.ts';
import {
  isMissing,
  replaceText,
  temporaryPrefix,
  signatureAt,
  signatureBelow,
  signatureOf,
} from './folder-file.ts';
import {
  FolderSettingsProblem,
  isServiceFolder,
  readFolderSettings,
  type FolderSettings,
} from './folder-settings.ts';
import { findAssets } from './receive-source.ts';
import type { ScannedSource } from './source-tracker.ts';
import { OutputNamer } from './output-namer.ts';
import { completeSources, type SourceName } from './source-names.ts';

export interface FolderSnapshot {
  /** Identifies the folder itself; changes if the folder is deleted and created again. */
  readonly identity: string;
  readonly settings: FolderSettings;
  /** Signature of platen.json; empty if the file is missing. */
  readonly settingsVersion: string;
  readonly seen: readonly ScannedSource[];
  readonly sources: ReadonlyMap<string, SourceName>;
  /** Output names by source name. */
  readonly outputs: ReadonlyMap<string, string>;
}

/** Thrown if the folder cannot be used at present. The message is a clause, such as "it does not exist". */
export class FolderUnusable extends Error {}

const settingsFile = 'platen.json';

/**
 * Scans the folder. Also deletes temporary files that a crash left behind. `outputNamer` remembers the names of earlier scans.
 * @throws FolderUnusable
 */
export async function scanFolder(
  folder: string,
  limits: JobLimits,
  outputNamer = new OutputNamer(),
): Promise<FolderSnapshot> {
  const identity = await identityOf(folder);
  const { settings, version } = await loadFolderSettings(folder, limits);
  const entries = await readdir(folder, { withFileTypes: true }).catch(throwUnusable);
  const files = entries.filter((entry) => entry.isFile()).map(({ name }) => name);
  await removeStaleFiles(folder, files);
  if (settings.output !== '') await removeStaleOutputs(join(folder, settings.output));
  const sources = completeSources(files);
  const outputs = outputNamer.namesFor(sources, settings.format, performance.now());
  const sharedSignature =
    settings.assets === 'all' ? await signatureBelow(assetFolders(folder, entries, settings)) : '';
  const seen: ScannedSource[] = [];
  for (const source of sources) {
    const seenSource = await inspectSource({
      folder,
      source,
      settings,
      sharedSignature,
      output: outputs.get(source.name) ?? '',
    });
    if (seenSource !== undefined) seen.push(seenSource);
  }
  return {
    identity,
    settings,
    settingsVersion: version,
    seen,
    outputs,
    sources: new Map(sources.map((source) => [source.name, source])),
  };
}

/** Returns the folder's identity. @throws FolderUnusable if it is missing, not a folder, or cannot be read or written */
async function identityOf(folder: string): Promise<string> {
  try {
    const stats = await stat(folder);
    if (!stats.isDirectory()) throw new FolderUnusable('it is a file, not a folder');
    // On Windows, this does not check permissions: there, readdir reports a folder that cannot be read.
    await access(folder, constants.R_OK | constants.W_OK);
    // A recreated folder often gets the same inode number.
    return `${stats.dev}:${stats.ino}:${stats.birthtimeMs}`;
  } catch (problem) {
    throw problem instanceof FolderUnusable ? problem : toFolderUnusable(problem);
  }
}

function toFolderUnusable(problem: unknown): FolderUnusable {
  const failed = problem as NodeJS.ErrnoException;
  const reason =
    failed.code === 'ENOENT' ? 'it does not exist' : `it cannot be used: ${fileErrorReason(failed)}`;
  return new FolderUnusable(reason, { cause: problem });
}

function throwUnusable(problem: unknown): never {
  throw toFolderUnusable(problem);
}

/**
 * Reads platen.json. Also writes a problem to a file beside it, because the author of platen.json may have access only to the
 * folder.
 * @throws FolderUnusable
 */
async function loadFolderSettings(folder: string, limits: JobLimits) {
  const path = join(folder, settingsFile);
  const errorFile = `${path}.error.txt`;
  const version = (await signatureAt(path)) ?? '';
  try {
    const settings = await readFolderSettings(folder, await readSettingsText(path, version), limits);
    await rm(errorFile, { force: true }).catch(() => {});
    return { settings, version };
  } catch (problem) {
    if (!(problem instanceof FolderSettingsProblem)) throw toFolderUnusable(problem);
    const text = `${settingsFile} is invalid, so nothing is converted here: ${problem.message}\n`;
    const before = await readFile(errorFile, 'utf8').catch(() => '');
    if (before !== text) await replaceText(errorFile, text, path).catch(() => {});
    throw new FolderUnusable(`platen.json: ${problem.message.replace(/[.]$/, '')}`, { cause: problem });
  }
}

const maxSettingsBytes = 2_000_000;

async function readSettingsText(path: string, version: string): Promise<string | undefined> {
  if (version === '') {
    if (await isMissing(path)) return undefined;
    throw new FolderSettingsProblem('it is a link or a folder, not a file.');
  }
  if (Number.parseInt(version) > maxSettingsBytes) throw new FolderSettingsProblem('it is larger than 2 MB.');
  return await readFile(path, 'utf8');
}

/** Returns the subfolders that may hold files of the pages: not those that the service writes to. */
function assetFolders(
  folder: string,
  entries: readonly { name: string; isDirectory: () => boolean }[],
  settings: FolderSettings,
) {
  return entries
    .filter((entry) => entry.isDirectory() && !isServiceFolder(entry.name, settings))
    .map(({ name }) => join(folder, name));
}

interface SourceContext {
  readonly folder: string;
  readonly source: SourceName;
  readonly settings: FolderSettings;
  readonly sharedSignature: string;
  readonly output: string;
}

/** Returns the source as it is now, or undefined if the file no longer exists. */
async function inspectSource({
  folder,
  source,
  settings,
  sharedSignature,
  output,
}: SourceContext): Promise<ScannedSource | undefined> {
  const { name } = source;
  const stats = await lstat(join(folder, name)).catch(() => undefined);
  if (stats?.isFile() !== true) return undefined;
  const signature = signatureOf(stats);
  // A copy keeps the modification time of its original. Its creation time, if known, is the time of its arrival.
  const arrivedAt = Math.max(stats.mtimeMs, stats.birthtimeMs);
  const isConverted =
    settings.after === 'keep' && (await isNewer(join(folder, settings.output, output), arrivedAt));
  const openMarker = (await isBeingWritten(join(folder, name))) ? randomUUID() : '';
  const ownFolders = settings.assets === 'own' ? await findAssets({ folder, source, settings }) : [];
  const assetSignature =
    ownFolders.length === 0
      ? sharedSignature
      : await signatureBelow(ownFolders.map((name) => join(folder, name)));
  return {
    name,
    signature,
    stabilityKey: [signature, openMarker, assetSignature].join('\n'),
    size: stats.size,
    arrivedAt,
    isConverted,
  };
}

async function isNewer(path: string, timeMs: number): Promise<boolean> {
  const stats = await lstat(path).catch(() => undefined);
  return stats?.isFile() === true && stats.mtimeMs >= timeMs;
}

/** Temporary files older than this are left over from a crash. */
const staleAfterMs = 3_600_000;

async function removeStaleOutputs(folder: string): Promise<void> {
  await removeStaleFiles(folder, await readdir(folder).catch(() => []));
}

async function removeStaleFiles(folder: string, names: readonly string[]): Promise<void> {
  for (const name of names.filter((entry) => entry.startsWith(temporaryPrefix))) {
    const path = join(folder, name);
    const stats = await lstat(path).catch(() => undefined);
    if (stats !== undefined && Date.now() - stats.mtimeMs > staleAfterMs)
      await rm(path, { force: true }).catch(() => {});
  }
}

/** UV_FS_O_EXLOCK of libuv (docs.libuv.org/en/v1.x/fs.html). Node passes the flag on but does not define a constant for it. */
const exclusiveLock = 0x10000000;

/**
 * Returns whether another program has the file open. On Windows, the file then cannot be opened exclusively. On other systems locks
 * are advisory, so this returns false, and only the settle time protects incomplete files.
 */
async function isBeingWritten(path: string): Promise<boolean> {
  if (process.platform !== 'win32') return false;
  try {
    await (await open(path, constants.O_RDONLY | exclusiveLock)).close();
    return false;
  } catch (problem) {
    return ['EBUSY', 'EPERM', 'EACCES'].includes((problem as NodeJS.ErrnoException).code ?? '');
  }
}
