/** Stores the paths of files and folders that the user picked or dropped, by id. Reads the files and reports changes to them. */
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import type { FSWatcher } from 'chokidar';
import { Failure } from '../../failure/failure.ts';
import { watchFolders } from '../../files/watch-files.ts';
import type { PickedItem } from './contract.ts';

export interface PickedPath extends PickedItem {
  /** The absolute path. */
  readonly path: string;
}

/** `find`, `read` and `watch` throw Failure notFound for an unknown id. */
export interface PickedFiles extends AsyncDisposable {
  /** Registers a path. Returns undefined if the path is neither a file nor a folder. */
  readonly add: (path: string) => Promise<PickedItem | undefined>;
  readonly find: (id: string) => PickedPath;
  /** Reads the file as UTF-8 text. @throws Failure uploadTooLarge, or notFound if the file no longer exists */
  readonly read: (id: string) => Promise<string>;
  readonly watch: (id: string) => Promise<void>;
  readonly unwatch: (id: string) => Promise<void>;
}

interface PickedFilesOptions {
  /** Called with the item's id after a save. File system events less than 50 ms apart count as one save. */
  readonly onChanged: (id: string) => void;
  /** Maximum size of a file for `read`, in bytes. */
  readonly maxTextBytes: number;
}

/** A save counts as complete after this time without further file system events. */
const saveSettleMs = 50;

export function openPickedFiles({ onChanged, maxTextBytes }: PickedFilesOptions): PickedFiles {
  const items = new Map<string, PickedPath>();
  const watchers = new Map<string, Promise<FSWatcher>>();
  const find = (id: string) => {
    const item = items.get(id);
    if (item === undefined) throw notFound('The picked item is no longer known. Choose it again.');
    return item;
  };
  const unwatch = async (id: string) => {
    const watcher = watchers.get(id);
    watchers.delete(id);
    await (await watcher)?.close();
  };
  return {
    async add(path) {
      const item = await describePath(path);
      if (item === undefined) return undefined;
      items.set(item.id, item);
      const { id, name, kind } = item;
      return { id, name, kind };
    },
    find,
    read: (id) => readText(find(id), maxTextBytes),
    async watch(id) {
      const item = find(id);
      if (watchers.has(id)) return;
      const watcher = watchItem(item, () => {
        onChanged(id);
      });
      watchers.set(id, watcher);
      await watcher;
    },
    unwatch,
    async [Symbol.asyncDispose]() {
      await Promise.all([...watchers.keys()].map(unwatch));
    },
  };
}

async function describePath(path: string): Promise<PickedPath | undefined> {
  const stats = await stat(path).catch(() => undefined);
  if (stats === undefined || !(stats.isFile() || stats.isDirectory())) return undefined;
  return {
    id: randomUUID(),
    path,
    name: basename(path),
    kind: stats.isFile() ? 'file' : 'folder',
  };
}

async function readText({ path, name }: PickedPath, maxText: number): Promise<string> {
  const stats = await stat(path).catch(() => undefined);
  if (stats?.isFile() !== true) throw notFound(`${name} no longer exists. Choose it again.`);
  if (stats.size > maxText)
    throw new Failure('uploadTooLarge', `${name} is larger than ${maxText / 1e6} MB, the upload limit.`);
  return readFile(path, 'utf8');
}

async function watchItem({ path, kind }: PickedPath, onSaved: () => void): Promise<FSWatcher> {
  const folder = kind === 'file' ? dirname(path) : path;
  const watcher = await watchFolders([folder], {
    isIgnored: (candidate) => kind === 'file' && candidate !== folder && candidate !== path,
    ...(kind === 'file' && { depth: 0 }),
    // An item that can no longer be watched, for example on a removed drive, reports no more changes.
    onError() {},
  });
  let timer: NodeJS.Timeout | undefined;
  watcher.on('all', () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      // The path may not exist while a program replaces the file.
      if (existsSync(path) && !watcher.closed) onSaved();
    }, saveSettleMs);
  });
  return watcher;
}

function notFound(message: string): Failure {
  return new Failure('notFound', message);
}
