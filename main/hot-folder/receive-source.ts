/** A source as it stands in its folder -> the form of a job: copied first, so that what is converted is one version of it. */
import { randomUUID } from 'node:crypto';
import { constants, createWriteStream, type Dirent } from 'node:fs';
import { open, readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { create } from 'tar';
import type { Received } from '../conversion/received.ts';
import { CallerGone } from '../conversion/caller-gone.ts';
import { Failure, toFailure } from '../failure/failure.ts';
import { whyUnusable } from '../failure/no-room.ts';
import { withoutLongValues } from '../job/field-lengths.ts';
import type { Form } from '../job/read-fields.ts';
import { doneFolder, failedFolder, fileInside, type FolderSettings } from './folder-settings.ts';
import { signatureOf } from './signature.ts';
import { sourceOf, type SourceName } from './source-names.ts';

export interface Wanted {
  /** Absolute. */
  readonly folder: string;
  readonly source: SourceName;
  /** The version that is wanted. */
  readonly signature: string;
  readonly settings: FolderSettings;
  /** Bytes of the form as a whole. */
  readonly maxUpload: number;
}

/** `to` is the job's own folder. @throws CallerGone when the source is not that version any more */
export async function receiveSource(wanted: Wanted, to: string): Promise<Received> {
  const { source, settings } = wanted;
  const { fields } = settings;
  const assets = source.isArchive ? [] : await assetsOf(wanted);
  try {
    const uploads = [await takeSource(wanted, to)];
    for (const file of settings.files) uploads.push(await takeFile(wanted, file, to));
    if (assets.length === 0) return withoutLongValues({ fields: tagged(wanted, fields), files: uploads });
    const [, ...others] = uploads;
    const packed = await pack(wanted, assets, to);
    const main = { name: 'zip_main_filename', value: source.name };
    return withoutLongValues({ fields: [...tagged(wanted, fields), main], files: [packed, ...others] });
  } catch (problem) {
    if (problem instanceof CallerGone) throw problem;
    return { form: { fields: tagged(wanted, fields), files: [] }, problem: toFailure(problem) };
  }
}

/** So that the record shows where it came from. */
function tagged({ folder }: Wanted, fields: Form['fields']): Form['fields'] {
  if (fields.some(({ name }) => name === 'tag')) return fields;
  return [...fields, { name: 'tag', value: basename(folder).slice(0, 32) || 'hot folder' }];
}

type FormFile = Form['files'][number];

async function takeSource({ folder, source, ...wanted }: Wanted, to: string): Promise<FormFile> {
  const path = join(to, randomUUID());
  const most = { most: wanted.maxUpload, what: 'The file' };
  const copied = await copyRegular(join(folder, source.name), path, most).catch(unread);
  if (copied.signature !== wanted.signature) throw new CallerGone('The file was changed before it was read.');
  return { name: 'file', upload: { path, name: source.name.slice(-200), size: copied.size } };
}

/** One that is gone, or that a link leads to by now, is for the next look to complain of: it is no fault of the source. */
async function takeFile(
  { folder, maxUpload }: Wanted,
  file: FolderSettings['files'][number],
  to: string,
): Promise<FormFile> {
  const path = join(to, randomUUID());
  const most = { most: maxUpload, what: `The file of ${file.name}` };
  const { size, inode } = await copyRegular(join(folder, file.path), path, most).catch(gone);
  if ((await fileInside(folder, file.path))?.ino !== inode)
    throw new CallerGone(`The file of ${file.name} was moved while it was read.`);
  return { name: file.name, upload: { path, name: basename(file.path), size } };
}

function unread(problem: unknown): never {
  const failed = problem as NodeJS.ErrnoException;
  if (failed.code === 'EBUSY')
    throw new CallerGone('Another program has opened the file before it was read.');
  if (failed.code !== 'EACCES' && failed.code !== 'EPERM') gone(problem);
  const sentence = `The file cannot be read by the service: ${whyUnusable(failed)}. Let its user read it, then move it back.`;
  throw new Failure('noInput', sentence, { cause: problem });
}

function gone(problem: unknown): never {
  const code = (problem as NodeJS.ErrnoException).code ?? '';
  if (!['ENOENT', 'ELOOP', 'ENOTDIR', 'ESTALE'].includes(code)) throw problem;
  throw new CallerGone('The file was removed before it was read.');
}

/** A link in its place is not followed, and a pipe not waited for. @throws Failure uploadTooLarge, what opening throws */
async function copyRegular(from: string, to: string, { most, what }: { most: number; what: string }) {
  const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants as Partial<typeof constants>;
  const file = await open(from, (O_RDONLY ?? 0) | O_NOFOLLOW | O_NONBLOCK);
  try {
    const before = await file.stat();
    if (!before.isFile()) throw new CallerGone('The file has made room for something that is none.');
    if (before.size > most) throw tooLarge(what, most);
    const bytes = file.createReadStream({ autoClose: false, start: 0 });
    await pipeline(bytes, createWriteStream(to, { flags: 'wx', mode: 0o600 }));
    const after = signatureOf(await file.stat());
    const signature = after === signatureOf(before) ? after : 'changed';
    return { size: before.size, signature, inode: before.ino };
  } finally {
    await file.close();
  }
}

/** Browsers and office programs keep what belongs to a saved page in a folder of its name. */
const ownEndings = ['_files', '.files', '-files', '-Dateien', '_Dateien', '_fichiers', '_archivos'];

/** The folders of a page's own, by name; a page has at most one. */
export function ownFolders({ source }: Pick<Wanted, 'source'>): string[] {
  return ownEndings.map((ending) => source.stem + ending);
}

/** Names in the folder that go along with the page. */
export async function assetsOf(wanted: Pick<Wanted, 'folder' | 'source' | 'settings'>): Promise<string[]> {
  const { folder, source, settings } = wanted;
  if (settings.assets === 'none' || source.isArchive) return [];
  const entries = await readdir(folder, { withFileTypes: true });
  if (settings.assets === 'own') {
    const own = new Set(ownFolders(wanted));
    return entries.filter((entry) => entry.isDirectory() && own.has(entry.name)).map(({ name }) => name);
  }
  return entries.filter((entry) => isAsset(entry, settings)).map(({ name }) => name);
}

/** Neither other sources nor anything of ours. */
function isAsset(entry: Dirent, { output, format }: FolderSettings): boolean {
  const { name } = entry;
  const [outputs = ''] = output.split(/[\\/]/);
  if (name.startsWith('.') || name.startsWith('platen.json')) return false;
  if (entry.isDirectory()) return ![failedFolder, doneFolder, outputs].includes(name);
  const isOutput = output === '' && name.toLowerCase().endsWith(`.${format}`);
  return entry.isFile() && !isOutput && sourceOf(name) === undefined;
}

/** Regular files only, as for a folder that is chosen in the tray's window. @throws Failure uploadTooLarge */
async function pack({ folder, source, maxUpload }: Wanted, assets: string[], to: string): Promise<FormFile> {
  const path = join(to, randomUUID());
  const file = await open(path, 'wx', 0o600);
  try {
    let size = 0;
    const names = [source.name, ...assets].map((name) => `./${name}`);
    for await (const bytes of create({ cwd: folder, portable: true, filter: isPlain }, names)) {
      size += bytes.length;
      if (size > maxUpload) throw tooLarge('The file with those beside it', maxUpload);
      await file.write(bytes);
    }
    return { name: 'file', upload: { path, name: `${source.stem}.tar`.slice(-200), size } };
  } finally {
    await file.close();
  }
}

function isPlain(path: string, found: object): boolean {
  const stats = found as { isFile: () => boolean; isDirectory: () => boolean };
  return !basename(path).startsWith('.') ? stats.isFile() || stats.isDirectory() : path === '.';
}

function tooLarge(what: string, most: number): Failure {
  return new Failure('uploadTooLarge', `${what} is larger than ${most / 1e6} MB, the upload limit.`);
}
