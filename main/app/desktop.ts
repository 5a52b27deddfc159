/** The tray and its window, where there is a desktop: whether, and how they hang together. */
import { app } from 'electron';
import type { Account } from '../accounts/account.ts';
import type { State } from '../console/contract.ts';
import { commandVariable, desktopVariable } from '../launch/messages.ts';
import { hearRequests } from '../launch/show-request.ts';
import type { ServiceLog } from '../log/service-log.ts';
import type { Settings } from '../settings/table.ts';
import type { Console } from './console-channel.ts';
import { showsIcons } from './indicator.ts';
import { openLoginEntry } from './login-item.ts';
import { systemScale } from './system-scale.ts';
import { textsFor } from './texts.ts';
import { trayActions } from './tray-actions.ts';
import { openTray } from './tray.ts';
import { watchState } from './watch-state.ts';
import { openWindowWithDesk } from './window-with-desk.ts';

export interface Desktop extends AsyncDisposable {
  /** To be called when the service listens. Resolves when there is all there will be; never rejects. */
  readonly begin: (url: string) => Promise<void>;
}

export interface DesktopParts {
  readonly settings: Pick<Settings, 'tray' | 'base-url' | 'log-file' | 'max-upload'> & {
    readonly data: string;
  };
  readonly log: ServiceLog;
  readonly console: Console;
  /** Whose rights the window has; asked for when there will be one. */
  readonly account: () => Promise<Account>;
}

export function openDesktop(parts: DesktopParts): Desktop {
  let opened: AsyncDisposable | undefined;
  return {
    async begin(url) {
      if (!isWanted(parts)) return;
      try {
        opened = await open(parts, parts.settings['base-url'] ?? url);
      } catch (problem) {
        parts.log.warn({ err: problem }, 'the tray could not be opened; the service goes on without it');
      }
    },
    [Symbol.asyncDispose]: async () => opened?.[Symbol.asyncDispose](),
  };
}

function isWanted({ settings: { tray }, log }: DesktopParts): boolean {
  const desktop = process.env[desktopVariable] === 'on';
  if (tray === true && !desktop) log.warn('tray=on has no effect: there is no desktop to show it on');
  return desktop && tray !== false;
}

async function open(parts: DesktopParts, baseUrl: string): Promise<AsyncDisposable> {
  const account = await parts.account();
  const languages = app.getPreferredSystemLanguages();
  const texts = textsFor(languages);
  const login = openLoginEntry({
    ...{ command: process.env[commandVariable], platform: process.platform, windows: app },
  });
  const scale = await systemScale();
  const window = openWindowWithDesk({ ...parts, account, baseUrl, languages, texts, login, scale });
  const ask = (name: string) => parts.console.call({ name, input: {}, caller: account });
  const actions = trayActions({
    ...parts,
    baseUrl,
    login,
    ask,
    show: window.show,
    look: () => void state.look(),
  });
  const tray = openTray({ texts, actions });
  const state = watchState({
    state: async () => (await ask('state')) as State,
    ...{ login, show: tray.show },
  });
  await state.look();
  const requests = hearRequests(parts.settings.data, actions.open);
  if (!(await showsIcons())) actions.open();
  return {
    async [Symbol.asyncDispose]() {
      for (const part of [requests, state, tray]) part[Symbol.dispose]();
      await window[Symbol.asyncDispose]();
    },
  };
}
