/** Opens the console window and connects it to the console and the native bridge. */
import { join } from 'node:path';
import { app, type WebContents } from 'electron';
import type { Account } from '../../accounts/account.ts';
import type { ServiceLog } from '../../log/service-log.ts';
import type { Settings } from '../../settings/table.ts';
import { openPickedFiles } from '../native-bridge/picked-files.ts';
import { openConsoleChannel, type Console } from './console-channel.ts';
import { openConsoleSession } from './console-scheme.ts';
import { openConsoleWindow, type ConsoleWindow } from './console-window.ts';
import { openNativeBridge, logsFolder } from '../native-bridge/native-bridge.ts';
import type { LoginEntry } from '../native-bridge/login-item.ts';
import { followTheme, readPreferences } from './preferences.ts';
import type { Texts } from '../tray/texts.ts';
import { applicationIcon } from '../tray/tray.ts';

interface WindowWithBridge extends AsyncDisposable {
  readonly show: ConsoleWindow['show'];
}

interface Parts {
  readonly settings: Pick<Settings, 'log-file' | 'max-upload'> & { readonly data: string };
  readonly log: ServiceLog;
  readonly console: Console;
  readonly account: Account;
  readonly baseUrl: string;
  readonly languages: readonly string[];
  readonly texts: Texts;
  readonly login: LoginEntry;
  /** The display scale of the desktop (system-scale.ts). */
  readonly scale: number;
}

export function openWindowWithBridge(parts: Parts): WindowWithBridge {
  const { settings, console, account, languages, log, scale } = parts;
  const maxUpload = settings['max-upload'];
  const chosen = openPickedFiles({
    maxText: maxUpload,
    onChanged(id) {
      window.tell({ kind: 'changed', id });
    },
  });
  const preferencesFile = join(settings.data, 'preferences.json');
  followTheme(readPreferences(preferencesFile));
  const desk = openNativeBridge({
    ...parts,
    chosen,
    window: () => window.window(),
    logsFolder: logsFolder(settings),
    output: (id) => console.output(id, account),
    preferencesFile,
  });
  const onFault = (problem: unknown) => {
    log.error({ err: problem }, 'a call of the console window failed unexpectedly');
  };
  const window = openConsoleWindow({
    session: openConsoleSession(rendererFolder()),
    icon: applicationIcon(),
    languages,
    scale,
    placeFile: join(settings.data, 'window.json'),
    onMade(contents: WebContents) {
      openConsoleChannel(contents, { console, desk, account, maxUpload, find: chosen.find, onFault });
    },
  });
  return {
    show: window.show,
    async [Symbol.asyncDispose]() {
      window[Symbol.dispose]();
      await chosen[Symbol.asyncDispose]();
    },
  };
}

/** Tests set PLATEN_RENDERER to a small folder of their own. */
function rendererFolder(): string {
  const testFolder = app.isPackaged ? undefined : process.env.PLATEN_RENDERER;
  return testFolder ?? join(__dirname, 'renderer');
}
