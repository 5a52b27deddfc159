/** A temporary hot folder and a service that watches it. */
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { HotFolderState } from '../../main/console/contract.ts';
import { operatorOf, type Operator } from './operator.ts';
import { startService, temporaryFolder, type Service, type StartOptions } from './service.ts';

export interface WatchedFolder extends AsyncDisposable {
  readonly folder: string;
  readonly service: Service;
  readonly operator: Operator;
  /** The path of an entry in the folder. */
  readonly at: (...names: readonly string[]) => string;
  readonly write: (name: string, content: string | Uint8Array) => void;
  readonly state: () => Promise<HotFolderState>;
  /** The names in the folder, or in one of its sub-folders. */
  readonly names: (below?: string) => string[];
}

/** Shorter than the default of two seconds, for faster tests. */
export const quickSettings = { settle: '300ms' };

export async function watchedFolder(
  settings: object = quickSettings,
  { flags = [], ...start }: StartOptions = {},
): Promise<WatchedFolder> {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'platen.json'), JSON.stringify(settings));
  const service = await startService({ ...start, flags: ['--hot-folders', folder, ...flags] });
  const watched = watchedBy(folder, service);
  return {
    ...watched,
    async [Symbol.asyncDispose]() {
      await service[Symbol.asyncDispose]();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The same folder, watched by another service. */
export function watchedBy(folder: string, service: Service): Omit<WatchedFolder, typeof Symbol.asyncDispose> {
  const operator = operatorOf(service);
  const at = (...names: readonly string[]) => join(folder, ...names);
  return {
    ...{ folder, service, operator, at },
    write(name, content) {
      mkdirSync(join(at(name), '..'), { recursive: true });
      writeFileSync(at(name), content);
    },
    async state() {
      const [first] = (await operator.call('state', {})).hotFolders ?? [];
      if (first === undefined) throw new Error('the service has no hot folder');
      return first;
    },
    names: (below = '') => (existsSync(at(below)) ? readdirSync(at(below)).sort() : []),
  };
}

/** Polls, because changes in a folder send no event. @throws Error after two minutes */
export async function waitUntil(what: string, isDone: () => boolean | Promise<boolean>): Promise<void> {
  const end = performance.now() + 120_000;
  while (!(await isDone())) {
    if (performance.now() > end) throw new Error(`it took too long: ${what}`);
    await pause(50);
  }
}

export function page(text: string): string {
  return `<!doctype html><title>t</title><p>${text}</p>`;
}
