/** Builds the tray's menu and tooltip as data from the state of the service. */
import type { ClientTexts, TrayTexts } from './texts.ts';

export interface TrayView {
  readonly status: 'ready' | 'busy' | 'paused' | 'stopping' | 'unavailable';
  readonly why?: string | undefined;
  readonly working: number;
  readonly waiting: number;
  /** Whether the service starts at login; undefined if that cannot be changed on this machine. */
  readonly startsAtLogin: boolean | undefined;
}

/** The view of a desktop client, whose service runs in another process. */
export interface ClientMenuView extends TrayView {
  /** Whether the user is signed in as an operator. */
  readonly isOperator?: boolean;
  /** Whether this user may end the process of the service. */
  readonly mayStop: boolean;
}

export type TrayAction =
  | 'open'
  | 'pause'
  | 'resume'
  | 'copyBaseUrl'
  | 'startAtLogin'
  | 'logs'
  | 'selfTest'
  | 'about'
  | 'quit'
  | 'stopService'
  | 'leave';

export type TrayItem =
  | { readonly kind: 'line' }
  | { readonly kind: 'text'; readonly label: string }
  | { readonly kind: 'item'; readonly label: string; readonly action: TrayAction; readonly enabled: boolean }
  | {
      readonly kind: 'box';
      readonly label: string;
      readonly action: TrayAction;
      readonly enabled: boolean;
      readonly checked: boolean;
    };

export interface TrayMenu {
  readonly tooltip: string;
  readonly items: readonly TrayItem[];
}

const line: TrayItem = { kind: 'line' };

export function trayMenu(view: TrayView, texts: TrayTexts): TrayMenu {
  const stopping = view.status === 'stopping';
  const item = (action: LabelledAction, enabled = true) => menuItem(action, texts[action], enabled);
  const statusText = describeStatus(view, texts);
  return {
    tooltip: `Platen: ${statusText}`,
    items: [
      { kind: 'text', label: statusText },
      line,
      item('open'),
      item(view.status === 'paused' ? 'resume' : 'pause', !stopping),
      item('copyBaseUrl'),
      line,
      loginItem(view, texts),
      item('logs'),
      item('selfTest', !stopping),
      item('about'),
      line,
      stopping ? menuItem('quit', texts.quitting(view.working), false) : item('quit'),
    ],
  };
}

interface ClientMenuOptions {
  readonly texts: TrayTexts;
  readonly clientTexts: ClientTexts;
  /** Whether the user can read the folder of the log. */
  readonly hasLogs: boolean;
}

/** Returns the menu of a desktop client. It never ends the service, except for the user who owns its process. */
export function clientMenu(
  view: ClientMenuView,
  { texts, clientTexts, hasLogs }: ClientMenuOptions,
): TrayMenu {
  const { status, isOperator = false, mayStop } = view;
  const item = (action: LabelledAction, enabled = true) => menuItem(action, texts[action], enabled);
  const pauseAction = status === 'paused' ? 'resume' : 'pause';
  const statusText = describeStatus(view, texts);
  return {
    tooltip: `Platen: ${statusText}`,
    items: [
      { kind: 'text', label: statusText },
      line,
      item('open'),
      ...(isOperator ? [item(pauseAction, status !== 'stopping')] : []),
      item('copyBaseUrl'),
      line,
      loginItem(view, texts),
      ...(hasLogs ? [item('logs')] : []),
      line,
      ...(mayStop ? [menuItem('stopService', clientTexts.stopService)] : []),
      menuItem('leave', clientTexts.leave),
    ],
  };
}

/** Actions whose label has the same property name in `TrayTexts`. */
type LabelledAction = Exclude<TrayAction, 'startAtLogin' | 'stopService' | 'leave'>;

function menuItem(action: TrayAction, label: string, enabled = true): TrayItem {
  return { kind: 'item', label, action, enabled };
}

function loginItem({ startsAtLogin }: TrayView, texts: TrayTexts): TrayItem {
  return {
    kind: 'box',
    label: texts.startAtLogin,
    action: 'startAtLogin',
    enabled: startsAtLogin !== undefined,
    checked: startsAtLogin === true,
  };
}

function describeStatus({ status, why, working, waiting }: TrayView, texts: TrayTexts): string {
  switch (status) {
    case 'ready':
      return texts.ready;
    case 'busy':
      return texts.busy(working, waiting);
    case 'paused':
      return texts.paused;
    case 'stopping':
      return texts.stopping;
    case 'unavailable':
      return texts.unavailable(why);
  }
}
