/** Opens the tray icon and the console window if there is a desktop, and connects them. */
import { app } from 'electron';
import type { Account } from '../accounts/account.ts';
import type { ConsoleState } from '../console/contract.ts';
import { commandVariable, desktopVariable } from '../launch/messages.ts';
import { listenForShowRequests } from '../launch/request-file.ts';
import type { ServiceLog } from '../log/service-log.ts';
import type { Settings } from '../settings/table.ts';
import type { ConsoleCalls } from './console-window/console-channel.ts';
import { trayMenu } from './tray/tray-menu.ts';
import { hasTrayArea, trayActions, openTray, readyView, watchState } from './tray/tray.ts';
import { isScaleForced } from './process/lifecycle.ts';
import { openLoginEntry } from './native-bridge/login-item.ts';
import { systemScale } from './console-window/system-scale.ts';
import { textsFor } from './tray/texts.ts';
import { openWindowWithBridge } from './console-window/window-with-bridge.ts';

export interface Desktop extends AsyncDisposable {
  /** Opens the tray icon and prepares the console window. `url` is the listening address. Never rejects: errors are logged. */
  readonly begin: (url: string) => Promise<void>;
}

interface DesktopDependencies {
  readonly settings: Pick<Settings, 'tray' | 'base-url' | 'log-file' | 'max-upload'> & {
    readonly data: string;
  };
  readonly log: ServiceLog;
  readonly console: ConsoleCalls;
  /** Returns the account that the window uses. Called only if the tray is enabled. */
  readonly account: () => Promise<Account>;
}

export function openDesktop(dependencies: DesktopDependencies): Desktop {
  const parts: DesktopPart[] = [];
  const disposeParts = async () => {
    for (let part = parts.pop(); part !== undefined; part = parts.pop())
      if (Symbol.dispose in part) part[Symbol.dispose]();
      else await part[Symbol.asyncDispose]();
  };
  return {
    async begin(url) {
      if (!isEnabled(dependencies)) return;
      try {
        await openParts(dependencies, dependencies.settings['base-url'] ?? url, parts);
      } catch (problem) {
        dependencies.log.warn({ err: problem }, 'the tray could not be opened; the service runs without it');
        await disposeParts();
      }
    },
    [Symbol.asyncDispose]: disposeParts,
  };
}

function isEnabled({ settings: { tray }, log }: DesktopDependencies): boolean {
  const desktop = process.env[desktopVariable] === 'on';
  if (tray === true && !desktop) log.warn('tray=on has no effect because there is no desktop');
  return desktop && tray !== false;
}

/**
 * macOS: a click on the Dock icon, or on the application in the Finder, activates the running process instead of starting another.
 */
function listenForActivation(show: () => void): Disposable {
  app.on('activate', show);
  return {
    [Symbol.dispose]() {
      app.off('activate', show);
    },
  };
}

type DesktopPart = Disposable | AsyncDisposable;

/** Opens the parts and adds each to `parts`, so that the caller can dispose them, also if a later part cannot be opened. */
async function openParts(
  dependencies: DesktopDependencies,
  baseUrl: string,
  parts: DesktopPart[],
): Promise<void> {
  const account = await dependencies.account();
  const languages = app.getPreferredSystemLanguages();
  const texts = textsFor(languages);
  const login = openLoginEntry({
    command: process.env[commandVariable],
    platform: process.platform,
    electronLoginItems: app,
  });
  const scale = await systemScale();
  const window = openWindowWithBridge({
    ...dependencies,
    account,
    baseUrl,
    languages,
    texts,
    login,
    // Chromium scales the window itself unless its scale is forced to 1.
    scale: isScaleForced() ? scale : 1,
  });
  parts.push(window);
  const callConsole = (name: string) => dependencies.console.call({ name, input: {}, caller: account });
  const actions = trayActions({
    ...dependencies,
    baseUrl,
    login,
    callConsole,
    show: window.show,
    refresh: () => void state.refresh(),
  });
  const tray = openTray({ menu: (view) => trayMenu(view, texts), actions, scale }, readyView);
  parts.push(tray);
  const state = watchState({
    readState: async () => (await callConsole('state')) as ConsoleState,
    login,
    show: tray.show,
  });
  parts.push(state);
  await state.refresh();
  parts.push(listenForShowRequests(dependencies.settings.data, actions.open));
  parts.push(listenForActivation(actions.open));
  if (!(await hasTrayArea())) actions.open();
}
