/** The window with all that answers it. */
import { join } from 'node:path';
import { app, type WebContents } from 'electron';
import type { Account } from '../accounts/account.ts';
import type { ServiceLog } from '../log/service-log.ts';
import type { Settings } from '../settings/table.ts';
import { openChosenThings } from './chosen.ts';
import { openConsoleChannel, type Console } from './console-channel.ts';
import { openConsoleSession } from './console-scheme.ts';
import { openConsoleWindow, type ConsoleWindow } from './console-window.ts';
import { openDesk } from './desk.ts';
import type { LoginEntry } from './login-item.ts';
import { logsFolder } from './logs-folder.ts';
import { followTheme, readPreferences } from './preferences.ts';
import type { Texts } from './texts.ts';
import { applicationPicture } from './tray.ts';

export interface WindowWithDesk extends AsyncDisposable {
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
  /** How much larger than Chromium thinks the desktop shows everything. */
  readonly scale: number;
}

export function openWindowWithDesk(parts: Parts): WindowWithDesk {
  const { settings, console, account, languages, log, scale } = parts;
  const maxUpload = settings['max-upload'];
  const chosen = openChosenThings({
    maxText: maxUpload,
    onChanged(id) {
      window.tell({ kind: 'changed', id });
    },
  });
  const preferencesFile = join(settings.data, 'preferences.json');
  followTheme(readPreferences(preferencesFile));
  const desk = openDesk({
    ...{ ...parts, chosen, window: () => window.window(), logsFolder: logsFolder(settings) },
    output: (id) => console.output(id, account),
    preferencesFile,
  });
  const onFault = (problem: unknown) => {
    log.error({ err: problem }, 'a call of the window failed because of a fault');
  };
  const window = openConsoleWindow({
    session: openConsoleSession(rendererFolder()),
    ...{ icon: applicationPicture(), languages, scale, placeFile: join(settings.data, 'window.json') },
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

/** Tests have a small one of their own. */
function rendererFolder(): string {
  const own = app.isPackaged ? undefined : process.env.PLATEN_RENDERER;
  return own ?? join(__dirname, 'renderer');
}
