/** Scans a hot folder: reads its settings and lists its sources. */
import { randomUUID } from 'node:crypto';
import { access, lstat, open, readdir, realpath, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { constants } from 'node:fs';
import { fileErrorReason } from '../failure/failure.ts';
import { openFile, openFolder } from '../files/open-inside.ts';
import type { JobLimits } from '../job/rules.ts';
import { replaceText, temporaryPrefix, signatureBelow, signatureOf } from './folder-file.ts';
import {
  FolderSettingsProblem,
  isServiceFolder,
  readFolderSettings,
  type FolderSettings,
} from './folder-settings.ts';
import { companionFoldersAmong, foldersAmong } from './receive-source.ts';
import type { ScannedSource } from './source-tracker.ts';
import { OutputNamer } from './output-namer.ts';
import { completeSources, type SourceName } from './source-names.ts';

export interface FolderSnapshot {
  /** Absolute path of the folder, without links. */
  readonly folder: string;
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
  path: string,
  limits: JobLimits,
  outputNamer = new OutputNamer(),
): Promise<FolderSnapshot> {
  const identity = await identityOf(path);
  const folder = await realpath(path).catch(throwUnusable);
  const { settings, version } = await loadFolderSettings(folder, limits);
  const entries = await readdir(folder, { withFileTypes: true }).catch(throwUnusable);
  const files = entries.filter((entry) => entry.isFile()).map(({ name }) => name);
  await removeStaleFiles(folder, '');
  if (settings.output !== '') await removeStaleFiles(folder, settings.output);
  const sources = completeSources(files);
  const outputs = outputNamer.namesFor(sources, settings.format, performance.now());
  const sharedSignature =
    settings.assets === 'all' ? await signatureBelow(folder, assetFolders(entries, settings)) : '';
  // A folder may have very many files, so it is not read again for each source.
  const companionCandidates = settings.assets === 'own' ? foldersAmong(entries) : new Set<string>();
  const seen: ScannedSource[] = [];
  for (const source of sources) {
    const seenSource = await inspectSource({
      folder,
      source,
      settings,
      sharedSignature,
      ownFolders: companionFoldersAmong(companionCandidates, source),
      output: outputs.get(source.name) ?? '',
    });
    if (seenSource !== undefined) seen.push(seenSource);
  }
  return {
    folder,
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
  await using opened = await openFolder(folder).catch(throwUnusable);
  const errorFile = join(opened.path, `${settingsFile}.error.txt`);
  try {
    const { text, version } = await readSettingsFile(folder);
    const settings = await readFolderSettings(folder, text, limits);
    await rm(errorFile, { force: true }).catch(() => {});
    return { settings, version };
  } catch (problem) {
    if (!(problem instanceof FolderSettingsProblem)) throw toFolderUnusable(problem);
    const text = `${settingsFile} is invalid, so nothing is converted here: ${problem.message}\n`;
    const before = await readText(folder, `${settingsFile}.error.txt`).catch(() => undefined);
    if (before?.text !== text)
      await replaceText(errorFile, text, join(opened.path, settingsFile)).catch(() => {});
    throw new FolderUnusable(`platen.json: ${problem.message.replace(/[.]$/, '')}`, { cause: problem });
  }
}

interface SettingsText {
  /** Undefined if there is no platen.json. */
  readonly text: string | undefined;
  readonly version: string;
}

async function readSettingsFile(folder: string): Promise<SettingsText> {
  try {
    return await readText(folder, settingsFile);
  } catch (problem) {
    const { code = '' } = problem as NodeJS.ErrnoException;
    if (code === 'ENOENT') return { text: undefined, version: '' };
    // Windows cannot open a folder, and no system opens a socket.
    if (['ELOOP', 'EISDIR', 'ENXIO'].includes(code))
      throw new FolderSettingsProblem('it is a link or a folder, not a file.');
    throw problem;
  }
}

const maxSettingsBytes = 2_000_000;

async function readText(folder: string, name: string): Promise<SettingsText> {
  const { file, stats } = await openFile(folder, name);
  try {
    if (stats.size > maxSettingsBytes) throw new FolderSettingsProblem('it is larger than 2 MB.');
    const { buffer, bytesRead } = await file.read(Buffer.alloc(stats.size), 0, stats.size, 0);
    return { text: buffer.toString('utf8', 0, bytesRead), version: signatureOf(stats) };
  } finally {
    await file.close();
  }
}

/** Returns the subfolders that may hold files of the pages: not those that the service writes to. */
function assetFolders(
  entries: readonly { name: string; isDirectory: () => boolean }[],
  settings: FolderSettings,
): string[] {
  return entries
    .filter((entry) => entry.isDirectory() && !isServiceFolder(entry.name, settings))
    .map(({ name }) => name);
}

interface SourceContext {
  readonly folder: string;
  readonly source: SourceName;
  readonly settings: FolderSettings;
  readonly sharedSignature: string;
  /** The companion folders of the source, if pages may load files from them. */
  readonly ownFolders: readonly string[];
  readonly output: string;
}

/** Returns the source as it is now, or undefined if the file no longer exists. */
async function inspectSource({
  folder,
  source,
  settings,
  sharedSignature,
  ownFolders,
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
  const assetSignature = ownFolders.length === 0 ? sharedSignature : await signatureBelow(folder, ownFolders);
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

/** Does nothing if the subfolder does not exist or is a link. */
async function removeStaleFiles(folder: string, subFolder: string): Promise<void> {
  await using opened = await openFolder(folder, subFolder).catch(() => undefined);
  if (opened === undefined) return;
  for (const name of await readdir(opened.path).catch(() => [])) {
    if (!name.startsWith(temporaryPrefix)) continue;
    const path = join(opened.path, name);
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
