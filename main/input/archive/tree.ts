/** The files and folders an archive becomes: every name is checked, and checked against all others, before it is written. */
import { join } from 'node:path';
import { openDisk, type FileWriter } from './disk.ts';
import { isSystemFile, readEntryName } from './entry-name.ts';
import type { Extracted } from './extracted.ts';
import { tooManyEntries, type ArchiveLimits } from './limits.ts';
import { refusal, shown } from './refusal.ts';

export interface Tree {
  /** @throws Failure archiveUnusable for a name that may not be, or is there already. */
  addFolder(name: string): void;
  /** @throws Failure archiveUnusable likewise. */
  addFile(name: string): FileWriter;
  /** @throws Failure archiveUnusable when nothing was added. */
  finish(): Extracted;
}

interface Place {
  readonly path: string;
  readonly kind: 'file' | 'folder';
}

/** @param folder An existing folder of the job's own, empty. */
export function openTree(folder: string, limits: ArchiveLimits): Tree {
  const disk = openDisk(folder);
  const places = new Map<string, Place>();
  const files: string[] = [];
  // Folders nobody listed count too, or 10,000 deep names would make 320,000 of them.
  const claimed = (place: Place): boolean => {
    if (!claim(places, place)) return false;
    if (places.size > limits.entries) throw tooManyEntries(limits);
    return true;
  };
  const addFolders = (parts: readonly string[]): void => {
    for (let count = 1; count <= parts.length; count += 1) {
      const path = parts.slice(0, count).join('/');
      if (claimed({ path, kind: 'folder' })) disk.addFolder(path);
    }
  };
  return {
    addFolder(name) {
      const parts = readEntryName(name, limits);
      if (!isSystemFile(parts)) addFolders(parts);
    },
    addFile(name) {
      const parts = readEntryName(name, limits);
      if (parts.length === 0) throw refusal(`The archive's entry ${shown(name)} is a file without a name.`);
      if (isSystemFile(parts)) return { write() {}, end() {} };
      addFolders(parts.slice(0, -1));
      const path = parts.join('/');
      claimed({ path, kind: 'file' });
      files.push(path);
      return disk.addFile(path);
    },
    finish() {
      disk.flush();
      return withoutTopFolder(folder, files, places);
    },
  };
}

/**
 * True when the place is new. The key is how file systems compare that take `A` and `a`, or the two spellings of `é`, for
 * the same name: an archive must unpack to the same files everywhere.
 */
function claim(places: Map<string, Place>, place: Place): boolean {
  const key = place.path.normalize('NFC').toLowerCase();
  const there = places.get(key);
  if (there === undefined) {
    places.set(key, place);
    return true;
  }
  if (there.path !== place.path) {
    throw refusal(
      `The archive's entries ${shown(there.path)} and ${shown(place.path)} have names that are the same on many systems; rename one.`,
    );
  }
  if (there.kind === 'folder' && place.kind === 'folder') return false;
  const twice = there.kind === place.kind ? 'is there twice' : 'is both a file and a folder';
  throw refusal(`The archive's entry ${shown(place.path)} ${twice}; pack the files again.`);
}

/** When everything lies in one folder, that folder is the top. */
function withoutTopFolder(folder: string, files: readonly string[], places: Map<string, Place>): Extracted {
  if (files.length === 0) throw refusal('The archive holds no files; send one with an HTML file at its top.');
  const tops = [...places.values()].filter(({ path }) => !path.includes('/'));
  const [top] = tops;
  if (top === undefined || tops.length > 1 || top.kind === 'file') return { root: folder, entries: files };
  return {
    root: join(folder, top.path),
    entries: files.map((file) => file.slice(top.path.length + 1)),
  };
}
