/** What the window may ask of the machine: files a person chooses, the clipboard, the browser, the logs, the login. */
import { writeFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { clipboard, dialog, shell, type BrowserWindow } from 'electron';
import type { OutputFile } from '../console/read-output.ts';
import { Failure } from '../failure/failure.ts';
import type { ChosenThings } from './chosen.ts';
import {
  deskCalls,
  type Chosen,
  type DeskCallName,
  type DeskInputOf,
  type DeskResults,
} from './desk-contract.ts';
import type { LoginEntry } from './login-item.ts';
import { followTheme, readPreferences, writePreferences } from './preferences.ts';
import type { Texts } from './texts.ts';

export interface Desk {
  /** @throws Failure notFound, valueNotAllowed and what the call itself throws */
  readonly call: (name: string, input: unknown) => Promise<unknown>;
  readonly dropped: (path: string) => Promise<Chosen | null>;
}

export interface DeskParts {
  readonly window: () => BrowserWindow | undefined;
  readonly chosen: ChosenThings;
  readonly output: (id: string) => Promise<OutputFile>;
  readonly login: LoginEntry;
  readonly texts: Texts;
  /** Without a slash at its end. */
  readonly baseUrl: string;
  /** Absolute. */
  readonly logsFolder: string;
  /** Absolute. */
  readonly preferencesFile: string;
}

type Handlers = { readonly [N in DeskCallName]: (input: DeskInputOf<N>) => Promise<DeskResults[N]> };

export function openDesk(parts: DeskParts): Desk {
  const handlers = { ...ofFiles(parts), ...ofTheMachine(parts), ...ofMemory(parts) } satisfies Handlers;
  return {
    async call(name, input) {
      if (!Object.hasOwn(deskCalls, name))
        throw new Failure('notFound', `'${name.slice(0, 100)}' is not a call of the desk`);
      const known = name as DeskCallName;
      const read = deskCalls[known].safeParse(input ?? {});
      if (!read.success) throw new Failure('valueNotAllowed', `${known} cannot be called so.`);
      return (handlers[known] as (input: unknown) => Promise<unknown>)(read.data);
    },
    dropped: async (path) => (path === '' ? null : ((await parts.chosen.add(path)) ?? null)),
  };
}

function ofFiles({ window, chosen, output, texts }: DeskParts) {
  const choose = async (kind: 'openFile' | 'openDirectory', title: string) => {
    const [path] = await ask(window(), { title, properties: [kind] });
    return path === undefined ? null : ((await chosen.add(path)) ?? null);
  };
  return {
    chooseFile: () => choose('openFile', texts.chooseFile),
    chooseFolder: () => choose('openDirectory', texts.chooseFolder),
    async watch({ id }) {
      await chosen.watch(id);
      return null;
    },
    async unwatch({ id }) {
      await chosen.unwatch(id);
      return null;
    },
    read: async ({ id }) => ({ text: await chosen.read(id) }),
    async saveOutput({ output: id, name }) {
      const { bytes } = await output(id);
      const path = await askWhere(window(), name, texts);
      if (path === undefined) return { saved: false };
      await writeFile(path, bytes).catch((cause: unknown) => {
        throw new Failure('unavailable', 'The file could not be written there; choose another place.', {
          cause,
        });
      });
      return { saved: true };
    },
  } satisfies Partial<Handlers>;
}

function ofTheMachine({ login, baseUrl, logsFolder }: DeskParts) {
  return {
    async copyText({ text }) {
      await clipboard.writeText(text);
      return null;
    },
    async openLink({ url }) {
      if (!url.startsWith(`${baseUrl}/`))
        throw new Failure('valueNotAllowed', 'Only addresses of this service are opened.');
      await shell.openExternal(url);
      return null;
    },
    async showLogs() {
      await shell.openPath(logsFolder);
      return null;
    },
    loginItem: () => Promise.resolve(login.read()),
    setLoginItem({ on }) {
      login.write(on);
      return Promise.resolve(login.read());
    },
  } satisfies Partial<Handlers>;
}

function ofMemory({ preferencesFile }: DeskParts) {
  return {
    preferences: () => Promise.resolve(readPreferences(preferencesFile)),
    prefer({ preferences }) {
      writePreferences(preferencesFile, preferences);
      followTheme(preferences);
      return Promise.resolve(null);
    },
  } satisfies Partial<Handlers>;
}

async function ask(
  window: BrowserWindow | undefined,
  options: Electron.OpenDialogOptions,
): Promise<string[]> {
  const { filePaths } = await (window === undefined
    ? dialog.showOpenDialog(options)
    : dialog.showOpenDialog(window, options));
  return filePaths;
}

async function askWhere(
  window: BrowserWindow | undefined,
  name: string,
  texts: Texts,
): Promise<string | undefined> {
  const extension = extname(name).slice(1);
  const options = {
    title: texts.save,
    defaultPath: name.replace(/[\\/:*?"<>|]|\p{Cc}/gu, '_'),
    ...(extension !== '' && { filters: [{ name: extension.toUpperCase(), extensions: [extension] }] }),
  };
  const { filePath } = await (window === undefined
    ? dialog.showSaveDialog(options)
    : dialog.showSaveDialog(window, options));
  return filePath === '' ? undefined : filePath;
}
