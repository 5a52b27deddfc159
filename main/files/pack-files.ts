/** Packs files into a tar archive that can be converted like an uploaded one. */
import { realpath, open, type FileHandle } from 'node:fs/promises';
import { basename, sep } from 'node:path';
import { Header, Pax } from 'tar';
import { Failure } from '../failure/failure.ts';
import { filesBelow, openFile } from './open-inside.ts';

interface ArchiveOptions {
  /** The path of the archive to create. It must not exist yet. */
  readonly to: string;
  /** The maximum size of the archive, in bytes. */
  readonly maxBytes: number;
  /** How the message about a larger archive names the files. */
  readonly subject: string;
  /** The folder in the archive that contains the files. Default: the top folder. */
  readonly prefix?: string;
}

interface PackOptions extends ArchiveOptions {
  /** The folder to which the paths are relative, as an absolute path without links. */
  readonly root: string;
  readonly paths: AsyncIterable<string>;
}

/**
 * Packs regular files below a folder. Returns the archive's size in bytes. The archive contains no times and no owners, so the
 * same files always give the same archive.
 * @throws Failure uploadTooLarge if the archive exceeds `maxBytes`; the errors of openFile
 */
export async function packFiles(options: PackOptions): Promise<number> {
  const { to, maxBytes, subject } = options;
  await using file = await open(to, 'wx', 0o600);
  let size = 0;
  for await (const bytes of tarOf(options)) {
    size += bytes.length;
    if (size > maxBytes)
      throw new Failure(
        'uploadTooLarge',
        `${subject} is larger than ${maxBytes / 1e6} MB, the upload limit; leave out files that the document does not need.`,
      );
    await file.writeFile(bytes);
  }
  return size;
}

interface PackFolderOptions extends ArchiveOptions {
  /** The folder to pack, as an absolute path. */
  readonly from: string;
  /** Whether files and folders whose names begin with a dot are left out. */
  readonly skipsHidden?: true;
}

/** Names of folders that are not packed. They are often large and never part of a document. */
const excludedNames = new Set(['node_modules', '.git']);

/** Packs the regular files of a folder and its subfolders, as `packFiles` does. Links are left out. */
export async function packFolder({ from, skipsHidden, ...options }: PackFolderOptions): Promise<number> {
  const root = await realpath(from);
  const isIncluded = (path: string) => {
    const name = basename(path);
    return !excludedNames.has(name) && !(skipsHidden && name.startsWith('.'));
  };
  return packFiles({ ...options, root, paths: filesBelow(root, '', isIncluded) });
}

const blockBytes = 512;

async function* tarOf({ root, paths, prefix }: PackOptions): AsyncGenerator<Buffer> {
  for await (const path of paths) {
    const { file, stats } = await openFile(root, path);
    try {
      yield* headerOf([...(prefix === undefined ? [] : [prefix]), ...path.split(sep)].join('/'), stats.size);
      yield* contentOf(file, stats.size);
    } finally {
      await file.close();
    }
  }
  yield Buffer.alloc(2 * blockBytes);
}

function* headerOf(path: string, size: number): Generator<Buffer> {
  const header = new Header({ path, size, mode: 0o644, type: 'File' });
  const needsPax = header.encode();
  if (needsPax) yield new Pax({ path, size }).encode();
  if (header.block !== undefined) yield header.block;
}

/** Yields exactly `size` bytes and the padding. @throws Error if the file has become shorter */
async function* contentOf(file: FileHandle, size: number): AsyncGenerator<Buffer> {
  let rest = size;
  if (size > 0)
    for await (const bytes of file.createReadStream({ start: 0, end: size - 1, autoClose: false })) {
      rest -= (bytes as Buffer).length;
      yield bytes as Buffer;
    }
  if (rest > 0) throw new Error('The file became shorter while it was read.');
  yield Buffer.alloc((blockBytes - (size % blockBytes)) % blockBytes);
}
