/** Temporary hot folders and a service that watches them. */
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { HotFolderState } from '../../../main/console/contract.ts';
import { operatorOf, type Operator } from '../console/operator.ts';
import { startService, temporaryFolder, type Service, type StartOptions } from './service.ts';

export interface WatchedFolder {
  readonly folder: string;
  readonly service: Service;
  readonly operator: Operator;
  /** Returns the path of a file or subfolder. */
  readonly at: (...names: readonly string[]) => string;
  readonly write: (name: string, content: string | Uint8Array) => void;
  readonly state: () => Promise<HotFolderState>;
  /** Returns the sorted names in the folder or in a subfolder; none if it does not exist. */
  readonly names: (below?: string) => string[];
}

export interface WatchedFolders extends AsyncDisposable {
  /** Returns a folder that no test has used yet, and writes these settings to it. */
  readonly next: (settings?: object) => WatchedFolder;
}

/** A shorter settle time than the default of two seconds, for faster tests. */
export const quickSettings = { settle: '300ms' };

/** Starts a service that watches one folder. */
export async function watchedFolder(
  settings: object = quickSettings,
  start: StartOptions = {},
): Promise<WatchedFolder & AsyncDisposable> {
  const folders = await watchedFolders(1, start);
  return {
    ...folders.next(settings),
    [Symbol.asyncDispose]: () => folders[Symbol.asyncDispose](),
  };
}

/** Starts a service that watches several folders, one for each test. */
export async function watchedFolders(
  count: number,
  { flags = [], ...start }: StartOptions = {},
): Promise<WatchedFolders> {
  const folders = Array.from({ length: count }, () => temporaryFolder());
  for (const folder of folders) writeSettings(folder, quickSettings);
  const service = await startService({ ...start, flags: ['--hot-folders', folders.join(), ...flags] });
  let used = 0;
  return {
    next(settings = quickSettings) {
      const folder = folders[used];
      if (folder === undefined) throw new Error(`all ${count} folders are used`);
      used += 1;
      writeSettings(folder, settings);
      return watchedBy(folder, service);
    },
    async [Symbol.asyncDispose]() {
      await service[Symbol.asyncDispose]();
      for (const folder of folders) rmSync(folder, { recursive: true, force: true });
    },
  };
}

function writeSettings(folder: string, settings: object): void {
  writeFileSync(join(folder, 'platen.json'), JSON.stringify(settings));
}

/** Returns functions for a folder that the service watches. */
export function watchedBy(folder: string, service: Service): WatchedFolder {
  const operator = operatorOf(service);
  const at = (...names: readonly string[]) => join(folder, ...names);
  return {
    folder,
    service,
    operator,
    at,
    write(name, content) {
      mkdirSync(join(at(name), '..'), { recursive: true });
      writeFileSync(at(name), content);
    },
    async state() {
      const states = (await operator.call('state', {})).hotFolders ?? [];
      const state = states.find(({ path }) => path === folder);
      if (state === undefined) throw new Error(`the service does not watch ${folder}`);
      return state;
    },
    names: (below = '') => (existsSync(at(below)) ? readdirSync(at(below)).sort() : []),
  };
}

export function page(text: string): string {
  return `<!doctype html><title>t</title><p>${text}</p>`;
}
