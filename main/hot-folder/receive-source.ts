/**
 * Copies a source and its assets into the job's folder and builds a form from them. The copy ensures that one consistent version is
 * converted.
 */
import { randomUUID } from 'node:crypto';
import { createWriteStream, type Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { basename, join, sep } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { ReceivedForm } from '../conversion/admission.ts';
import { CallerDisconnected } from '../conversion/job-log.ts';
import { Failure, fileErrorReason, toFailure } from '../failure/failure.ts';
import { filesBelow, openFile } from '../files/open-inside.ts';
import { packFiles } from '../files/pack-files.ts';
import { dropExcessiveValues, type Form } from '../job/read-fields.ts';
import { isServiceFolder, type FolderSettings } from './folder-settings.ts';
import { signatureOf } from './folder-file.ts';
import { sourceOf, type SourceName } from './source-names.ts';

export interface SourceRequest {
  /** Absolute path of the hot folder, without links. */
  readonly folder: string;
  /** The name of the hot folder in the settings. */
  readonly folderName: string;
  readonly source: SourceName;
  /** Signature of the version of the source to convert. */
  readonly signature: string;
  readonly settings: FolderSettings;
  /** Maximum size of the whole form, in bytes. */
  readonly maxUpload: number;
}

/** Builds the form of a source. `to` is the job's folder. @throws CallerDisconnected if the source was changed or removed */
export async function receiveSource(request: SourceRequest, to: string): Promise<ReceivedForm> {
  const { source, settings } = request;
  const { fields } = settings;
  const assets = source.isArchive ? [] : await findAssets(request);
  try {
    const uploads = [await copySource(request, to)];
    for (const file of settings.files) uploads.push(await copyOptionFile(request, file, to));
    if (assets.length === 0) return dropExcessiveValues({ fields: withTag(request, fields), files: uploads });
    const [, ...others] = uploads;
    const packed = await packSource(request, assets, to);
    const main = { name: 'zip_main_filename', value: source.name };
    return dropExcessiveValues({ fields: [...withTag(request, fields), main], files: [packed, ...others] });
  } catch (problem) {
    if (problem instanceof CallerDisconnected) throw problem;
    return { form: { fields: withTag(request, fields), files: [] }, problem: toFailure(problem) };
  }
}

/** Adds the hot folder's name as a tag, so that the job record shows where the job came from. */
function withTag({ folderName }: SourceRequest, fields: Form['fields']): Form['fields'] {
  if (fields.some(({ name }) => name === 'tag')) return fields;
  return [...fields, { name: 'tag', value: folderName.slice(0, 32) || 'hot folder' }];
}

type FormFile = Form['files'][number];

async function copySource({ folder, source, ...request }: SourceRequest, to: string): Promise<FormFile> {
  const path = join(to, randomUUID());
  const limit = { maxBytes: request.maxUpload, subject: 'The file' };
  const copied = await copyRegular({ folder, path: source.name }, path, limit).catch(throwUnreadable);
  if (copied.signature !== request.signature)
    throw new CallerDisconnected('The file changed before it was read.');
  return { name: 'file', upload: { path, name: source.name.slice(-200), size: copied.size } };
}

/**
 * Copies a file that an option names. If the file is missing or was replaced with a link, the source has not failed: this throws
 * CallerDisconnected, and the next scan reports the problem.
 */
async function copyOptionFile(
  { folder, maxUpload }: SourceRequest,
  file: FolderSettings['files'][number],
  to: string,
): Promise<FormFile> {
  const path = join(to, randomUUID());
  const limit = { maxBytes: maxUpload, subject: `The file of ${file.name}` };
  const { size } = await copyRegular({ folder, path: file.path }, path, limit).catch(throwIfRemoved);
  return { name: file.name, upload: { path, name: basename(file.path), size } };
}

function throwUnreadable(problem: unknown): never {
  const failed = problem as NodeJS.ErrnoException;
  if (failed.code === 'EBUSY')
    throw new CallerDisconnected('Another program opened the file before it was read.');
  if (failed.code !== 'EACCES' && failed.code !== 'EPERM') throwIfRemoved(problem);
  const message = `The service cannot read the file: ${fileErrorReason(failed)}. Give the service's user read permission, then move the file back.`;
  throw new Failure('noInput', message, { cause: problem });
}

function throwIfRemoved(problem: unknown): never {
  const code = (problem as NodeJS.ErrnoException).code ?? '';
  if (!['ENOENT', 'ELOOP', 'ENOTDIR', 'ESTALE'].includes(code)) throw problem;
  throw new CallerDisconnected('The file was removed before it was read.');
}

interface CopyLimit {
  readonly maxBytes: number;
  /** How error messages name the file. */
  readonly subject: string;
}

interface HotFolderFile {
  readonly folder: string;
  /** Path relative to the hot folder. */
  readonly path: string;
}

/**
 * Copies a regular file. Does not follow links or wait for pipes. Of a file that grows meanwhile, copies only the earlier size.
 * @throws Failure uploadTooLarge; the errors of openFile
 */
async function copyRegular(from: HotFolderFile, to: string, { maxBytes, subject }: CopyLimit) {
  const { file, stats } = await openFile(from.folder, from.path);
  try {
    const { size } = stats;
    if (size > maxBytes) throw tooLarge(subject, maxBytes);
    const bytes = file.createReadStream({ autoClose: false, start: 0, end: Math.max(size - 1, 0) });
    await pipeline(bytes, createWriteStream(to, { flags: 'wx', mode: 0o600 }));
    const after = signatureOf(await file.stat());
    return { size, signature: after === signatureOf(stats) ? after : 'changed' };
  } finally {
    await file.close();
  }
}

/** Browsers and office programs store the files of a saved page in a folder with one of these suffixes, the companion folder. */
const companionSuffixes = ['_files', '.files', '-files', '-Dateien', '_Dateien', '_fichiers', '_archivos'];

/** Returns the possible names of a page's companion folder. A page has at most one such folder. */
export function companionFolderNames({ source }: Pick<SourceRequest, 'source'>): string[] {
  return companionSuffixes.map((ending) => source.stem + ending);
}

/** Returns those of the names of folders that are companion folders of the page. An archive has none. */
export function companionFoldersAmong(folders: ReadonlySet<string>, source: SourceName): string[] {
  return source.isArchive ? [] : companionFolderNames({ source }).filter((name) => folders.has(name));
}

/** Returns the names of the folders among the entries. */
export function foldersAmong(entries: readonly Dirent[]): ReadonlySet<string> {
  return new Set(entries.filter((entry) => entry.isDirectory()).map(({ name }) => name));
}

/** Returns the names of the files and folders in the hot folder that are packed with the page. */
async function findAssets(request: Pick<SourceRequest, 'folder' | 'source' | 'settings'>): Promise<string[]> {
  const { folder, source, settings } = request;
  if (settings.assets === 'none' || source.isArchive) return [];
  const entries = await readdir(folder, { withFileTypes: true });
  if (settings.assets === 'own') return companionFoldersAmong(foldersAmong(entries), source);
  return entries.filter((entry) => isAsset(entry, settings)).map(({ name }) => name);
}

/** Returns whether a page may load the entry. Sources, outputs and the service's own files are excluded. */
function isAsset(entry: Dirent, settings: FolderSettings): boolean {
  const { name } = entry;
  const { output, format } = settings;
  if (name.startsWith('.') || name.startsWith('platen.json')) return false;
  if (entry.isDirectory()) return !isServiceFolder(name, settings);
  const isOutput = output === '' && name.toLowerCase().endsWith(`.${format}`);
  return entry.isFile() && !isOutput && sourceOf(name) === undefined;
}

/** Packs the page and its assets into a tar archive. @throws Failure uploadTooLarge; the errors of openFile */
async function packSource(
  { folder, source, maxUpload }: SourceRequest,
  assets: string[],
  to: string,
): Promise<FormFile> {
  const path = join(to, randomUUID());
  const names = new Set([source.name, ...assets]);
  const isPacked = (below: string) =>
    names.has(below.split(sep)[0] ?? '') && !basename(below).startsWith('.');
  const size = await packFiles({
    root: folder,
    paths: filesBelow(folder, '', isPacked),
    to: path,
    maxBytes: maxUpload,
    subject: 'The file together with its assets',
  }).catch(throwUnreadable);
  return { name: 'file', upload: { path, name: `${source.stem}.tar`.slice(-200), size } };
}

function tooLarge(subject: string, maxBytes: number): Failure {
  return new Failure('uploadTooLarge', `${subject} is larger than ${maxBytes / 1e6} MB, the upload limit.`);
}
