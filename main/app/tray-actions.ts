/** What each item of the tray's menu does. */
import { app, clipboard, shell } from 'electron';
import type { Settings } from '../settings/table.ts';
import type { View } from './desk-contract.ts';
import type { LoginEntry } from './login-item.ts';
import { logsFolder } from './logs-folder.ts';
import type { TrayActions } from './tray.ts';

interface Parts {
  readonly settings: Pick<Settings, 'log-file'> & { readonly data: string };
  readonly baseUrl: string;
  readonly login: LoginEntry;
  /** Calls the console. */
  readonly ask: (name: 'pause' | 'resume') => Promise<unknown>;
  /** Shows the window. */
  readonly show: (view: View) => void;
  /** Looks at the state now. */
  readonly look: () => void;
}

export function trayActions({ settings, baseUrl, login, ask, show, look }: Parts): TrayActions {
  // A call that fails changes nothing, which the menu then shows.
  const ordered = (name: 'pause' | 'resume') => () =>
    void ask(name)
      .catch(() => {})
      .then(look);
  const showing = (view: View) => () => {
    show(view);
  };
  return {
    ...{ open: showing('home'), selfTest: showing('self-test'), about: showing('about') },
    ...{ pause: ordered('pause'), resume: ordered('resume') },
    copyBaseUrl: () => void clipboard.writeText(baseUrl),
    startAtLogin() {
      login.write(!login.read().on);
      look();
    },
    logs: () => void shell.openPath(logsFolder(settings)),
    // It drains, as by a signal (launcher.ts, before-quit).
    quit() {
      app.quit();
    },
  };
}
