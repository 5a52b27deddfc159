/** The files and folders of an archive. Checks each name, and compares it with all other names, before writing the entry. */
import { join } from 'node:path';
import { foldedName } from '../../fields/normalized.ts';
import { openDisk, type FileWriter } from './disk.ts';
import { pathsTooLong, tooManyEntries, refusal, quotedName, type ArchiveLimits } from './limits.ts';

export interface Tree {
  /** @throws Failure archiveUnusable for a name that is not allowed or already in use. */
  addFolder(name: string): void;
  /**
   * @param rawName The bytes of the name as Latin-1, if the archive does not declare their encoding.
   * @throws Failure archiveUnusable for a name that is not allowed or already in use.
   */
  addFile(name: string, rawName?: string): FileWriter;
  /** Performs all pending writes. @throws Failure archiveUnusable if no files were added. */
  finish(): UnpackedArchive;
}

interface TreeEntry {
  readonly path: string;
  readonly kind: 'file' | 'folder';
}

/** @param folder An existing, empty folder of the job. */
export function openTree(folder: string, limits: ArchiveLimits): Tree {
  const disk = openDisk(folder);
  const treeEntries = new Map<string, TreeEntry>();
  const files: string[] = [];
  const rawNames: (readonly [string, string])[] = [];
  let pathBytes = 0;
  // Implicit folders count as entries too. Otherwise, 10,000 files with 32 folders each would create 320,000 folders.
  const add = (entry: TreeEntry): boolean => {
    if (!addEntry(treeEntries, entry)) return false;
    if (treeEntries.size > limits.entries) throw tooManyEntries(limits);
    pathBytes += Buffer.byteLength(entry.path);
    if (pathBytes > limits.pathBytes) throw pathsTooLong(limits);
    return true;
  };
  const addFolders = (parts: readonly string[]): void => {
    for (let count = 1; count <= parts.length; count += 1) {
      const path = parts.slice(0, count).join('/');
      if (add({ path, kind: 'folder' })) disk.addFolder(path);
    }
  };
  return {
    addFolder(name) {
      const parts = readEntryName(name, limits);
      if (!isSystemFile(parts)) addFolders(parts);
    },
    addFile(name, rawName) {
      const parts = readEntryName(name, limits);
      if (parts.length === 0)
        throw refusal(
          `The archive's entry ${quotedName(name)} is a file without a name; pack the files again.`,
        );
      if (isSystemFile(parts)) return { write() {}, end() {} };
      addFolders(parts.slice(0, -1));
      const path = parts.join('/');
      add({ path, kind: 'file' });
      files.push(path);
      if (rawName !== undefined) {
        pathBytes += rawName.length;
        if (pathBytes > limits.pathBytes) throw pathsTooLong(limits);
        rawNames.push([rawName, path]);
      }
      return disk.addFile(path);
    },
    finish() {
      disk.flush();
      return withoutTopFolder({ root: folder, entries: files, rawNames }, treeEntries);
    },
  };
}

/**
 * Adds an entry. Returns false for a folder that was added before. Ignores case and Unicode normalisation, as some file systems
 * do, because an archive must unpack to the same files everywhere.
 * @throws Failure archiveUnusable if another entry has the same name.
 */
function addEntry(treeEntries: Map<string, TreeEntry>, entry: TreeEntry): boolean {
  const key = foldedName(entry.path);
  const existing = treeEntries.get(key);
  if (existing === undefined) {
    treeEntries.set(key, entry);
    return true;
  }
  if (existing.path !== entry.path) {
    throw refusal(
      `The archive's entries ${quotedName(existing.path)} and ${quotedName(entry.path)} have the same name on systems that ignore case or Unicode normalisation; rename one.`,
    );
  }
  if (existing.kind === 'folder' && entry.kind === 'folder') return false;
  const problem = existing.kind === entry.kind ? 'occurs twice' : 'is both a file and a folder';
  throw refusal(`The archive's entry ${quotedName(entry.path)} ${problem}; pack the files again.`);
}

/** Returns the archive's files. If all are in one folder, that folder becomes `root`. @throws Failure archiveUnusable */
function withoutTopFolder(
  unpacked: Required<UnpackedArchive>,
  treeEntries: Map<string, TreeEntry>,
): UnpackedArchive {
  const { root, entries, rawNames } = unpacked;
  if (entries.length === 0) throw refusal('The archive contains no files; send one with an HTML file.');
  const topEntries = [...treeEntries.values()].filter(({ path }) => !path.includes('/'));
  const [top] = topEntries;
  if (top === undefined || topEntries.length > 1 || top.kind === 'file') return unpacked;
  const below = (entry: string) => entry.slice(top.path.length + 1);
  return {
    root: join(root, top.path),
    entries: entries.map(below),
    rawNames: rawNames.map(([raw, entry]) => [raw.slice(raw.indexOf('/') + 1), below(entry)]),
  };
}

/**
 * Returns the parts of an entry's path; an empty list for the top folder itself (`./`).
 * @param name The name in the archive. A backslash is a separator too, because Windows programs write it into zip archives.
 * @throws Failure archiveUnusable for names that lead out of the folder, have a special meaning on Windows, or exceed a limit.
 */
function readEntryName(name: string, limits: ArchiveLimits): readonly string[] {
  const refuse = (reason: string): Error => refusal(`The archive's entry ${quotedName(name)} ${reason}.`);
  if (name === '') throw refuse('has no name; pack the files again');
  if (/^[\\/]/.test(name)) throw refuse('has an absolute path; pack the files with relative paths');
  if (/^[a-z]:/i.test(name)) throw refuse('starts with a drive letter; pack the files with relative paths');
  const parts = name.split(/[\\/]+/).filter((part) => part !== '' && part !== '.');
  for (const part of parts) {
    const problem = nameProblem(part, limits);
    if (problem !== undefined) throw refuse(problem);
  }
  if (folderDepth(name, parts) > limits.depth) {
    throw refuse(`is more than ${limits.depth} folders deep; pack the files with fewer folders`);
  }
  return parts;
}

/** Returns the number of folders in a path. With a trailing separator, the last part is a folder too. */
function folderDepth(name: string, parts: readonly string[]): number {
  return /[\\/]$/.test(name) ? parts.length : parts.length - 1;
}

/** Device names on Windows, with any extension. Windows treats superscript digits as digits. */
const reserved = /^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$) *(\..*)?$/i;

function nameProblem(part: string, { nameBytes }: ArchiveLimits): string | undefined {
  if (part === '..') return "has '..' in its path; pack the files with paths that stay inside the archive";
  if (/\p{Cc}/u.test(part)) return 'has a control character in its name; rename it';
  if (part.includes(':'))
    return "has a ':' in its name, which Windows reads as an alternate data stream; rename it";
  if (/[. ]$/.test(part)) return 'has a name that ends with a dot or a blank; rename it';
  if (reserved.test(part)) return 'has a name that is a device on Windows; rename it';
  if (Buffer.byteLength(part) > nameBytes) return `has a name longer than ${nameBytes} bytes; shorten it`;
  return undefined;
}

/** Returns true for files that operating systems add to archives; `._` files contain macOS metadata. */
function isSystemFile(parts: readonly string[]): boolean {
  const last = parts.at(-1) ?? '';
  return (
    parts.includes('__MACOSX') ||
    last.startsWith('._') ||
    /^(\.DS_Store|Thumbs\.db|desktop\.ini)$/i.test(last)
  );
}

export interface UnpackedArchive {
  /** The absolute path of the archive's top folder. */
  readonly root: string;
  /** The paths of the files relative to `root`, with slashes, in the archive's order. */
  readonly entries: readonly string[];
  /** Names relative to `root` in an undeclared encoding, as Latin-1, and their entries. */
  readonly rawNames?: readonly (readonly [raw: string, entry: string])[];
}
