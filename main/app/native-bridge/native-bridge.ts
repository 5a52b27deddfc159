/** Implements the calls of the native bridge: picked files, clipboard, links, logs folder, start at login and preferences. */
import { writeFile } from 'node:fs/promises';
import { extname, dirname, resolve } from 'node:path';
import { clipboard, dialog, shell, type BrowserWindow } from 'electron';
import type { OutputWithBytes } from '../../console/outputs.ts';
import { Failure } from '../../failure/failure.ts';
import type { PickedFiles } from './picked-files.ts';
import {
  nativeCalls,
  type PickedItem,
  type NativeCallName,
  type NativeInputOf,
  type NativeResults,
} from './contract.ts';
import type { FirstKeyFile } from '../first-key.ts';
import type { LoginEntry } from './login-item.ts';
import { applyTheme, readPreferences, writePreferences } from '../console-window/preferences.ts';
import type { TrayTexts } from '../tray/texts.ts';
import type { Settings } from '../../settings/table.ts';

export interface NativeBridge {
  /**
   * Runs a native call.
   * @throws Failure notFound for an unknown name, valueNotAllowed for invalid input, and the call's failures
   */
  readonly call: (name: string, input: unknown) => Promise<unknown>;
  /** Registers a dropped item. Returns null if the path is neither a file nor a folder. */
  readonly dropped: (path: string) => Promise<PickedItem | null>;
}

interface NativeBridgeDependencies {
  readonly window: () => BrowserWindow | undefined;
  readonly pickedFiles: PickedFiles;
  readonly output: (id: string) => Promise<OutputWithBytes>;
  readonly login: LoginEntry;
  readonly texts: TrayTexts;
  /** The base URL of the service, without a trailing slash. */
  readonly baseUrl: string;
  /** Absolute path. */
  readonly logsFolder: string;
  /** Absolute path. */
  readonly preferencesFile: string;
  readonly firstKey: Pick<FirstKeyFile, 'read' | 'remove'>;
}

type NativeHandlers = {
  readonly [N in NativeCallName]: (input: NativeInputOf<N>) => Promise<NativeResults[N]>;
};

export function openNativeBridge(dependencies: NativeBridgeDependencies): NativeBridge {
  const handlers = {
    ...fileCalls(dependencies),
    ...desktopCalls(dependencies),
    ...preferenceCalls(dependencies),
  } satisfies NativeHandlers;
  return {
    async call(name, input) {
      if (!Object.hasOwn(nativeCalls, name))
        throw new Failure('notFound', `'${name.slice(0, 100)}' is not a native call.`);
      const callName = name as NativeCallName;
      const parsed = nativeCalls[callName].safeParse(input ?? {});
      if (!parsed.success) throw new Failure('valueNotAllowed', `The input of ${callName} is not valid.`);
      return (handlers[callName] as (input: unknown) => Promise<unknown>)(parsed.data);
    },
    dropped: async (path) => (path === '' ? null : ((await dependencies.pickedFiles.add(path)) ?? null)),
  };
}

function fileCalls({ window, pickedFiles, output, texts }: NativeBridgeDependencies) {
  const choose = async (kind: 'openFile' | 'openDirectory', title: string) => {
    const [path] = await showOpenDialog(window(), { title, properties: [kind] });
    return path === undefined ? null : ((await pickedFiles.add(path)) ?? null);
  };
  return {
    chooseFile: () => choose('openFile', texts.chooseFile),
    chooseFolder: () => choose('openDirectory', texts.chooseFolder),
    async watch({ id }) {
      await pickedFiles.watch(id);
      return null;
    },
    async unwatch({ id }) {
      await pickedFiles.unwatch(id);
      return null;
    },
    read: async ({ id }) => ({ text: await pickedFiles.read(id) }),
    async saveOutput({ output: id, name }) {
      const { bytes } = await output(id);
      const path = await showSaveDialog(window(), name, texts);
      if (path === undefined) return { saved: false };
      await writeFile(path, bytes).catch((cause: unknown) => {
        throw new Failure('unavailable', 'The file could not be written. Choose another folder.', {
          cause,
        });
      });
      return { saved: true };
    },
  } satisfies Partial<NativeHandlers>;
}

function desktopCalls({ login, baseUrl, logsFolder, firstKey }: NativeBridgeDependencies) {
  return {
    async copyText({ text }) {
      await clipboard.writeText(text);
      return null;
    },
    async openLink({ url }) {
      if (!url.startsWith(`${baseUrl}/`))
        throw new Failure('valueNotAllowed', 'Only addresses of this service can be opened.');
      await shell.openExternal(url);
      return null;
    },
    async showLogs() {
      await shell.openPath(logsFolder);
      return null;
    },
    firstKey: () => Promise.resolve(firstKey.read() ?? null),
    forgetFirstKey() {
      firstKey.remove();
      return Promise.resolve(null);
    },
    loginItem: () => Promise.resolve(login.read()),
    setLoginItem({ on }) {
      login.write(on);
      return Promise.resolve(login.read());
    },
  } satisfies Partial<NativeHandlers>;
}

function preferenceCalls({ preferencesFile }: NativeBridgeDependencies) {
  return {
    preferences: () => Promise.resolve(readPreferences(preferencesFile)),
    prefer({ preferences }) {
      writePreferences(preferencesFile, preferences);
      applyTheme(preferences);
      return Promise.resolve(null);
    },
  } satisfies Partial<NativeHandlers>;
}

async function showOpenDialog(
  window: BrowserWindow | undefined,
  options: Electron.OpenDialogOptions,
): Promise<string[]> {
  const { filePaths } = await (window === undefined
    ? dialog.showOpenDialog(options)
    : dialog.showOpenDialog(window, options));
  return filePaths;
}

async function showSaveDialog(
  window: BrowserWindow | undefined,
  name: string,
  texts: TrayTexts,
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

/** Returns the folder of the log file, or the data folder with the debug logs if no log file is set. */
export function logsFolder(settings: Pick<Settings, 'log-file'> & { readonly data: string }): string {
  const file = settings['log-file'];
  return file === undefined ? settings.data : dirname(resolve(settings.data, file));
}
