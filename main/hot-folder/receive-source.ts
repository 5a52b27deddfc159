/**
 * Copies a source and its assets into the job's folder and builds a form from them. The copy ensures that one consistent version is
 * converted.
 */
import { randomUUID } from 'node:crypto';
import { constants, createWriteStream, type Dirent } from 'node:fs';
import { open, readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { create } from 'tar';
import type { ReceivedForm } from '../conversion/admission.ts';
import { CallerDisconnected } from '../conversion/job-log.ts';
import { Failure, fileErrorReason, toFailure } from '../failure/failure.ts';
import { dropExcessiveValues, type Form } from '../job/read-fields.ts';
import { fileInside, isServiceFolder, type FolderSettings } from './folder-settings.ts';
import { signatureOf } from './folder-file.ts';
import { sourceOf, type SourceName } from './source-names.ts';

export interface SourceRequest {
  /** Absolute path of the hot folder. */
  readonly folder: string;
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
function withTag({ folder }: SourceRequest, fields: Form['fields']): Form['fields'] {
  if (fields.some(({ name }) => name === 'tag')) return fields;
  return [...fields, { name: 'tag', value: basename(folder).slice(0, 32) || 'hot folder' }];
}

type FormFile = Form['files'][number];

async function copySource({ folder, source, ...request }: SourceRequest, to: string): Promise<FormFile> {
  const path = join(to, randomUUID());
  const limit = { maxBytes: request.maxUpload, subject: 'The file' };
  const copied = await copyRegular(join(folder, source.name), path, limit).catch(throwUnreadable);
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
  const { size, inode } = await copyRegular(join(folder, file.path), path, limit).catch(throwIfRemoved);
  if ((await fileInside(folder, file.path))?.ino !== inode)
    throw new CallerDisconnected(`The file of ${file.name} was moved while it was read.`);
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

/**
 * Copies a regular file. Does not follow links or wait for pipes.
 * @throws Failure uploadTooLarge; the errors of open
 */
async function copyRegular(from: string, to: string, { maxBytes, subject }: CopyLimit) {
  const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants as Partial<typeof constants>;
  const file = await open(from, (O_RDONLY ?? 0) | O_NOFOLLOW | O_NONBLOCK);
  try {
    const before = await file.stat();
    if (!before.isFile())
      throw new CallerDisconnected('The file was replaced by something that is not a file.');
    if (before.size > maxBytes) throw tooLarge(subject, maxBytes);
    const bytes = file.createReadStream({ autoClose: false, start: 0 });
    await pipeline(bytes, createWriteStream(to, { flags: 'wx', mode: 0o600 }));
    const after = signatureOf(await file.stat());
    const signature = after === signatureOf(before) ? after : 'changed';
    return { size: before.size, signature, inode: before.ino };
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

/** Returns the names of the files and folders in the hot folder that are packed with the page. */
export async function findAssets(
  request: Pick<SourceRequest, 'folder' | 'source' | 'settings'>,
): Promise<string[]> {
  const { folder, source, settings } = request;
  if (settings.assets === 'none' || source.isArchive) return [];
  const entries = await readdir(folder, { withFileTypes: true });
  if (settings.assets === 'own') {
    const companionNames = new Set(companionFolderNames(request));
    return entries
      .filter((entry) => entry.isDirectory() && companionNames.has(entry.name))
      .map(({ name }) => name);
  }
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

/**
 * Packs the page and its assets into a tar archive. Packs only regular files and folders, as the console window does.
 * @throws Failure uploadTooLarge
 */
async function packSource(
  { folder, source, maxUpload }: SourceRequest,
  assets: string[],
  to: string,
): Promise<FormFile> {
  const path = join(to, randomUUID());
  const file = await open(path, 'wx', 0o600);
  try {
    let size = 0;
    const names = [source.name, ...assets].map((name) => `./${name}`);
    for await (const bytes of create({ cwd: folder, portable: true, filter: isPackable }, names)) {
      size += bytes.length;
      if (size > maxUpload) throw tooLarge('The file together with its assets', maxUpload);
      await file.write(bytes);
    }
    return { name: 'file', upload: { path, name: `${source.stem}.tar`.slice(-200), size } };
  } finally {
    await file.close();
  }
}

function isPackable(path: string, fileStats: object): boolean {
  const stats = fileStats as { isFile: () => boolean; isDirectory: () => boolean };
  return !basename(path).startsWith('.') ? stats.isFile() || stats.isDirectory() : path === '.';
}

function tooLarge(subject: string, maxBytes: number): Failure {
  return new Failure('uploadTooLarge', `${subject} is larger than ${maxBytes / 1e6} MB, the upload limit.`);
}
