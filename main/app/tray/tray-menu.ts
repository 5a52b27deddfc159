/** Builds the tray's menu and tooltip as data from the state of the service. */
import type { Texts } from './texts.ts';

export interface TrayView {
  readonly is: 'ready' | 'busy' | 'paused' | 'stopping' | 'trouble';
  readonly why?: string | undefined;
  readonly working: number;
  readonly waiting: number;
  /** Undefined if it cannot be changed on this platform. */
  readonly startsAtLogin: boolean | undefined;
}

export type TrayAction =
  'open' | 'pause' | 'resume' | 'copyBaseUrl' | 'startAtLogin' | 'logs' | 'selfTest' | 'about' | 'quit';

export type TrayItem =
  | { readonly kind: 'line' }
  | { readonly kind: 'text'; readonly label: string }
  | { readonly kind: 'item'; readonly label: string; readonly does: TrayAction; readonly enabled: boolean }
  | {
      readonly kind: 'box';
      readonly label: string;
      readonly does: TrayAction;
      readonly enabled: boolean;
      readonly checked: boolean;
    };

interface TrayMenu {
  readonly tooltip: string;
  readonly items: readonly TrayItem[];
}

export function trayMenu(view: TrayView, texts: Texts): TrayMenu {
  const stopping = view.is === 'stopping';
  const line: TrayItem = { kind: 'line' };
  const item = (does: Labelled, enabled = true): TrayItem => ({
    kind: 'item',
    label: texts[does],
    does,
    enabled,
  });
  const statusText = status(view, texts);
  return {
    tooltip: `Platen: ${statusText}`,
    items: [
      { kind: 'text', label: statusText },
      line,
      item('open'),
      item(view.is === 'paused' ? 'resume' : 'pause', !stopping),
      item('copyBaseUrl'),
      line,
      atLogin(view, texts),
      item('logs'),
      item('selfTest', !stopping),
      item('about'),
      line,
      stopping
        ? { kind: 'item', label: texts.quitting(view.working), does: 'quit', enabled: false }
        : item('quit'),
    ],
  };
}

/** Actions whose label has the same name in `Texts`. */
type Labelled = Exclude<TrayAction, 'startAtLogin'>;

function atLogin({ startsAtLogin }: TrayView, texts: Texts): TrayItem {
  return {
    kind: 'box',
    label: texts.startAtLogin,
    does: 'startAtLogin',
    enabled: startsAtLogin !== undefined,
    checked: startsAtLogin === true,
  };
}

function status({ is, why, working, waiting }: TrayView, texts: Texts): string {
  switch (is) {
    case 'ready':
      return texts.ready;
    case 'busy':
      return texts.busy(working, waiting);
    case 'paused':
      return texts.paused;
    case 'stopping':
      return texts.stopping;
    case 'trouble':
      return texts.trouble(why);
  }
}
