/** What a person has chosen or dropped, by ids instead of paths; reads it, and tells when it was saved. */
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { basename, dirname, sep } from 'node:path';
import { watch, type FSWatcher } from 'chokidar';
import { Failure } from '../failure/failure.ts';
import type { Chosen } from './desk-contract.ts';

export interface ChosenPlace extends Chosen {
  /** Absolute. */
  readonly path: string;
}

/** All @throws Failure notFound for an id that is none. */
export interface ChosenThings extends AsyncDisposable {
  /** Undefined for what is neither a file nor a folder. */
  readonly add: (path: string) => Promise<Chosen | undefined>;
  readonly find: (id: string) => ChosenPlace;
  /** @throws Failure uploadTooLarge, notFound when it has gone */
  readonly read: (id: string) => Promise<string>;
  readonly watch: (id: string) => Promise<void>;
  readonly unwatch: (id: string) => Promise<void>;
}

interface Parts {
  /** Called with the id after each time it was saved, once for what comes within a moment. */
  readonly onChanged: (id: string) => void;
  /** Bytes of the largest text. */
  readonly maxText: number;
}

/** Milliseconds without a further event after which a save is over. */
const settling = 50;

/** Whole folders of other people's files, which no document is made of. */
const unwatched = new Set(['node_modules', '.git']);

export function openChosenThings({ onChanged, maxText }: Parts): ChosenThings {
  const places = new Map<string, ChosenPlace>();
  const watches = new Map<string, FSWatcher>();
  const find = (id: string) => {
    const place = places.get(id);
    if (place === undefined) throw gone('What was chosen is not known any more; choose it again.');
    return place;
  };
  const unwatch = async (id: string) => {
    const watcher = watches.get(id);
    watches.delete(id);
    await watcher?.close();
  };
  return {
    async add(path) {
      const place = await lookAt(path);
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

async function lookAt(path: string): Promise<ChosenPlace | undefined> {
  const facts = await stat(path).catch(() => undefined);
  if (facts === undefined || !(facts.isFile() || facts.isDirectory())) return undefined;
  return {
    ...{ id: randomUUID(), path, name: basename(path) },
    kind: facts.isFile() ? 'file' : 'folder',
  };
}

async function readText({ path, name }: ChosenPlace, maxText: number): Promise<string> {
  const facts = await stat(path).catch(() => undefined);
  if (facts?.isFile() !== true) throw gone(`${name} is not there any more; choose it again.`);
  if (facts.size > maxText)
    throw new Failure('uploadTooLarge', `${name} is larger than ${maxText / 1e6} MB, the upload limit.`);
  return readFile(path, 'utf8');
}

/** A file is watched in its folder: a program that saves puts a new file in its place, whose changes the old one's watch misses. */
function watchPlace({ path, kind }: ChosenPlace, onSaved: () => void): FSWatcher {
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
            .some((name) => unwatched.has(name)),
  });
  let timer: NodeJS.Timeout | undefined;
  watcher.on('all', () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      // Between its removal and its return there is nothing to show.
      if (existsSync(path) && !watcher.closed) onSaved();
    }, settling);
  });
  // What cannot be watched any more, such as a drive that has gone, changes no more.
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
