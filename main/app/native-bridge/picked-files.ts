/** Keeps the files and folders that the user picked or dropped, by id. Reads them and reports when they are saved. */
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { basename, dirname, sep } from 'node:path';
import { watch, type FSWatcher } from 'chokidar';
import { Failure } from '../../failure/failure.ts';
import type { PickedItem } from './contract.ts';

export interface PickedPath extends PickedItem {
  /** The absolute path. */
  readonly path: string;
}

/** Methods with an id throw Failure notFound for an unknown id. */
export interface PickedFiles extends AsyncDisposable {
  /** Returns undefined if the path is neither a file nor a folder. */
  readonly add: (path: string) => Promise<PickedItem | undefined>;
  readonly find: (id: string) => PickedPath;
  /** @throws Failure uploadTooLarge, or notFound when the file no longer exists */
  readonly read: (id: string) => Promise<string>;
  readonly watch: (id: string) => Promise<void>;
  readonly unwatch: (id: string) => Promise<void>;
}

interface Parts {
  /** Called with the id after a save. Events within 50 ms count as one save. */
  readonly onChanged: (id: string) => void;
  /** Bytes of the largest text. */
  readonly maxText: number;
}

/** A save is complete after this time without further events. */
const saveSettleMs = 50;

/** Large folders that contain no document sources. */
const ignoredFolders = new Set(['node_modules', '.git']);

export function openPickedFiles({ onChanged, maxText }: Parts): PickedFiles {
  const places = new Map<string, PickedPath>();
  const watches = new Map<string, FSWatcher>();
  const find = (id: string) => {
    const place = places.get(id);
    if (place === undefined) throw gone('The picked item is no longer known. Choose it again.');
    return place;
  };
  const unwatch = async (id: string) => {
    const watcher = watches.get(id);
    watches.delete(id);
    await watcher?.close();
  };
  return {
    async add(path) {
      const place = await describePath(path);
      if (place === undefined) return undefined;
      places.set(place.id, place);
      const { id, name, kind } = place;
      return { id, name, kind };
    },
    find,
    read: (id) => readText(find(id), maxText),
    async watch(id) {
      const place = find(id);
      if (watches.has(id)) return;
      const watcher = watchPlace(place, () => {
        onChanged(id);
      });
      watches.set(id, watcher);
      await whenReady(watcher);
    },
    unwatch,
    async [Symbol.asyncDispose]() {
      await Promise.all([...watches.keys()].map(unwatch));
    },
  };
}

async function describePath(path: string): Promise<PickedPath | undefined> {
  const facts = await stat(path).catch(() => undefined);
  if (facts === undefined || !(facts.isFile() || facts.isDirectory())) return undefined;
  return {
    id: randomUUID(),
    path,
    name: basename(path),
    kind: facts.isFile() ? 'file' : 'folder',
  };
}

async function readText({ path, name }: PickedPath, maxText: number): Promise<string> {
  const facts = await stat(path).catch(() => undefined);
  if (facts?.isFile() !== true) throw gone(`${name} no longer exists. Choose it again.`);
  if (facts.size > maxText)
    throw new Failure('uploadTooLarge', `${name} is larger than ${maxText / 1e6} MB, the upload limit.`);
  return readFile(path, 'utf8');
}

/** Watches a file through its folder: many programs save by replacing the file, which a watch on the file itself would miss. */
function watchPlace({ path, kind }: PickedPath, onSaved: () => void): FSWatcher {
  const top = kind === 'file' ? dirname(path) : path;
  const watcher = watch(top, {
    ignoreInitial: true,
    followSymlinks: false,
    atomic: false,
    ...(kind === 'file' && { depth: 0 }),
    ignored: (found) =>
      kind === 'file'
        ? found !== top && found !== path
        : found
            .slice(top.length)
            .split(sep)
            .some((name) => ignoredFolders.has(name)),
  });
  let timer: NodeJS.Timeout | undefined;
  watcher.on('all', () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      // While the file is being replaced there is nothing to show.
      if (existsSync(path) && !watcher.closed) onSaved();
    }, saveSettleMs);
  });
  // An item that can no longer be watched, such as one on a removed drive, reports no more changes.
  watcher.on('error', () => {});
  return watcher;
}

function whenReady(watcher: FSWatcher): Promise<void> {
  return new Promise((resolve) => {
    watcher.once('ready', resolve);
  });
}

function gone(sentence: string): Failure {
  return new Failure('notFound', sentence);
}
