/** Opens the console window and connects its page to main/console/ and to the native bridge (dialogs, clipboard, login entry). */
import { join } from 'node:path';
import { app, type WebContents } from 'electron';
import type { Account } from '../../accounts/account.ts';
import type { ServiceLog } from '../../log/service-log.ts';
import type { Settings } from '../../settings/table.ts';
import { FirstKeyFile } from '../first-key.ts';
import { openPickedFiles } from '../native-bridge/picked-files.ts';
import { openConsoleChannel, type ConsoleCalls } from './console-channel.ts';
import { openConsoleSession } from './console-scheme.ts';
import { openConsoleWindow, type ConsoleWindow } from './console-window.ts';
import { openNativeBridge, logsFolder } from '../native-bridge/native-bridge.ts';
import type { LoginEntry } from '../native-bridge/login-item.ts';
import { applyTheme, readPreferences } from './preferences.ts';
import type { TrayTexts } from '../tray/texts.ts';
import { applicationIcon } from '../tray/tray.ts';

interface WindowWithBridge extends AsyncDisposable {
  readonly show: ConsoleWindow['show'];
}

interface ConsoleWindowDependencies {
  readonly settings: Pick<Settings, 'log-file' | 'max-upload'> & { readonly data: string };
  readonly log: ServiceLog;
  readonly console: ConsoleCalls;
  readonly account: Account;
  readonly baseUrl: string;
  readonly languages: readonly string[];
  readonly texts: TrayTexts;
  readonly login: LoginEntry;
  /** The zoom factor that makes the window as large as the windows of other programs. */
  readonly scale: number;
}

export function openWindowWithBridge(dependencies: ConsoleWindowDependencies): WindowWithBridge {
  const { settings, console, account, languages, log, scale } = dependencies;
  const maxUpload = settings['max-upload'];
  const pickedFiles = openPickedFiles({
    maxTextBytes: maxUpload,
    onChanged(id) {
      window.sendEvent({ kind: 'changed', id });
    },
  });
  const preferencesFile = join(settings.data, 'preferences.json');
  applyTheme(readPreferences(preferencesFile));
  const nativeBridge = openNativeBridge({
    ...dependencies,
    pickedFiles,
    window: () => window.window(),
    logsFolder: logsFolder(settings),
    output: (id) => console.output(id, account),
    preferencesFile,
    firstKey: new FirstKeyFile(settings.data),
  });
  const onFault = (problem: unknown) => {
    log.error({ err: problem }, 'a call from the console window failed unexpectedly');
  };
  const window = openConsoleWindow({
    session: openConsoleSession(rendererFolder()),
    icon: applicationIcon(),
    languages,
    scale,
    boundsFile: join(settings.data, 'window.json'),
    onCreated(contents: WebContents) {
      openConsoleChannel(contents, {
        console,
        nativeBridge,
        account,
        maxUpload,
        find: pickedFiles.find,
        onFault,
      });
    },
  });
  return {
    show: window.show,
    async [Symbol.asyncDispose]() {
      window[Symbol.dispose]();
      await pickedFiles[Symbol.asyncDispose]();
    },
  };
}

/** Returns the folder of the built console. Tests set PLATEN_RENDERER to use a small folder instead. */
function rendererFolder(): string {
  const testFolder = app.isPackaged ? undefined : process.env.PLATEN_RENDERER;
  return testFolder ?? join(__dirname, 'renderer');
}
