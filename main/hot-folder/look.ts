/** One look at a hot folder: what lies in it just now, and how its owner wants it converted. */
import { randomUUID } from 'node:crypto';
import { access, constants, lstat, readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { whyUnusable } from '../failure/no-room.ts';
import type { Limits } from '../job/rules.ts';
import { isFree, replaceText, temporaryPrefix } from './folder-file.ts';
import { FolderSettingsProblem, readFolderSettings, type FolderSettings } from './folder-settings.ts';
import { isBeingWritten } from './open-elsewhere.ts';
import { assetsOf } from './receive-source.ts';
import type { Seen } from './sightings.ts';
import { signatureAt, signatureBelow, signatureOf } from './signature.ts';
import { outputNames, sourcesAmong, type SourceName } from './source-names.ts';

export interface View {
  /** Of the folder itself: another one when it was made anew. */
  readonly identity: string;
  readonly settings: FolderSettings;
  /** What platen.json is just now. */
  readonly settingsVersion: string;
  readonly seen: readonly Seen[];
  readonly sources: ReadonlyMap<string, SourceName>;
  /** Names of outputs, by their sources'. */
  readonly outputs: ReadonlyMap<string, string>;
}

/** Nothing can be converted in it just now; a sentence's end. */
export class FolderTrouble extends Error {}

const settingsFile = 'platen.json';

/** @throws FolderTrouble */
export async function lookAt(folder: string, limits: Limits): Promise<View> {
  const identity = await identityOf(folder);
  const { settings, version } = await settingsIn(folder, limits);
  const entries = await readdir(folder, { withFileTypes: true }).catch(unusable);
  const files = entries.filter((entry) => entry.isFile()).map(({ name }) => name);
  await sweep(folder, files);
  if (settings.output !== '') await sweepOutputs(join(folder, settings.output));
  const sources = sourcesAmong(files);
  const outputs = outputNames(sources, settings.format);
  const shared = settings.assets === 'all' ? await signatureBelow(subFolders(folder, entries)) : '';
  const seen: Seen[] = [];
  for (const source of sources) {
    const one = await see({ folder, source, settings, shared, output: outputs.get(source.name) ?? '' });
    if (one !== undefined) seen.push(one);
  }
  return {
    ...{ identity, settings, settingsVersion: version, seen, outputs },
    sources: new Map(sources.map((source) => [source.name, source])),
  };
}

/** @throws FolderTrouble when it is missing, no folder, or cannot be read or written */
async function identityOf(folder: string): Promise<string> {
  try {
    const stats = await stat(folder);
    if (!stats.isDirectory()) throw new FolderTrouble('it is a file, not a folder');
    await access(folder, constants.R_OK | constants.W_OK);
    // A folder that is made anew often gets the number of the one before.
    return `${stats.dev}:${stats.ino}:${stats.birthtimeMs}`;
  } catch (problem) {
    throw problem instanceof FolderTrouble ? problem : troubleOf(problem);
  }
}

function troubleOf(problem: unknown): FolderTrouble {
  const failed = problem as NodeJS.ErrnoException;
  const why = failed.code === 'ENOENT' ? 'it is not there' : `it cannot be used: ${whyUnusable(failed)}`;
  return new FolderTrouble(why, { cause: problem });
}

function unusable(problem: unknown): never {
  throw troubleOf(problem);
}

/** Says what is wrong beside the file, too: whoever wrote it may see nothing but the folder. @throws FolderTrouble */
async function settingsIn(folder: string, limits: Limits) {
  const path = join(folder, settingsFile);
  const told = `${path}.error.txt`;
  const version = (await signatureAt(path)) ?? '';
  try {
    const settings = await readFolderSettings(folder, await textOf(path, version), limits);
    await rm(told, { force: true }).catch(() => {});
    return { settings, version };
  } catch (problem) {
    if (!(problem instanceof FolderSettingsProblem)) throw troubleOf(problem);
    const sentence = `${settingsFile} is wrong, so nothing is converted here: ${problem.message}\n`;
    const before = await readFile(told, 'utf8').catch(() => '');
    if (before !== sentence) await replaceText(told, sentence, path).catch(() => {});
    throw new FolderTrouble(`platen.json: ${problem.message.replace(/[.]$/, '')}`, { cause: problem });
  }
}

/** Bytes. */
const longestSettings = 2_000_000;

async function textOf(path: string, version: string): Promise<string | undefined> {
  if (version === '') {
    if (await isFree(path)) return undefined;
    throw new FolderSettingsProblem('it is a link or a folder, not a file.');
  }
  if (Number.parseInt(version) > longestSettings) throw new FolderSettingsProblem('it is larger than 2 MB.');
  return await readFile(path, 'utf8');
}

function subFolders(folder: string, entries: readonly { name: string; isDirectory: () => boolean }[]) {
  const ours = ['failed', 'done'];
  return entries
    .filter((entry) => entry.isDirectory() && !ours.includes(entry.name))
    .map(({ name }) => join(folder, name));
}

interface Sight {
  readonly folder: string;
  readonly source: SourceName;
  readonly settings: FolderSettings;
  readonly shared: string;
  readonly output: string;
}

/** Undefined for one that has gone. */
async function see({ folder, source, settings, shared, output }: Sight): Promise<Seen | undefined> {
  const { name } = source;
  const stats = await lstat(join(folder, name)).catch(() => undefined);
  if (stats?.isFile() !== true) return undefined;
  const signature = signatureOf(stats);
  // A copy keeps the time of its original; when it came is told by its own beginning, where that is known.
  const arrived = Math.max(stats.mtimeMs, stats.birthtimeMs);
  const done = settings.after === 'keep' && (await isNewer(join(folder, settings.output, output), arrived));
  const open = (await isBeingWritten(join(folder, name))) ? randomUUID() : '';
  const own = settings.assets === 'own' ? await assetsOf({ folder, source, settings }) : [];
  const beside = own.length === 0 ? shared : await signatureBelow(own.map((one) => join(folder, one)));
  return { name, signature, still: [signature, open, beside].join('\n'), size: stats.size, arrived, done };
}

async function isNewer(path: string, than: number): Promise<boolean> {
  const stats = await lstat(path).catch(() => undefined);
  return stats?.isFile() === true && stats.mtimeMs >= than;
}

/** Milliseconds; what a crash has left of us. */
const stale = 3_600_000;

async function sweepOutputs(folder: string): Promise<void> {
  await sweep(folder, await readdir(folder).catch(() => []));
}

async function sweep(folder: string, names: readonly string[]): Promise<void> {
  for (const name of names.filter((one) => one.startsWith(temporaryPrefix))) {
    const path = join(folder, name);
    const stats = await lstat(path).catch(() => undefined);
    if (stats !== undefined && Date.now() - stats.mtimeMs > stale)
      await rm(path, { force: true }).catch(() => {});
  }
}
