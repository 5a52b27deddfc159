/** The tray icon: shows the state of the service and a menu, and runs the clicked actions. */
import { join } from 'node:path';
import {
  Menu,
  nativeImage,
  nativeTheme,
  Tray,
  app,
  clipboard,
  shell,
  type MenuItemConstructorOptions,
  type NativeImage,
} from 'electron';
import { drawIcon, trayIcoName, type Icon, type IconBackground } from './tray-icon.ts';
import type { TrayAction, TrayItem, TrayMenu, TrayView } from './tray-menu.ts';
import type { Settings } from '../../settings/table.ts';
import type { WindowTarget } from '../native-bridge/contract.ts';
import type { LoginEntry } from '../native-bridge/login-item.ts';
import { logsFolder } from '../native-bridge/native-bridge.ts';
import { queryProgram } from '../process/query-program.ts';
import type { ConsoleState } from '../../console/contract.ts';

interface TrayIcon<View extends TrayView> extends Disposable {
  /** Shows the state in the icon, tooltip and menu. Does nothing if they already show it. */
  readonly show: (view: View) => void;
}

type TrayActions = Readonly<Partial<Record<TrayAction, () => void>>>;

interface TrayOptions<View extends TrayView> {
  /** Returns the menu and the tooltip for a state of the service. */
  readonly menu: (view: View) => TrayMenu;
  /** The actions of all items in the menu. */
  readonly actions: TrayActions;
  /** The scale of the desktop (system-scale.ts). */
  readonly scale: number;
}

export const readyView: TrayView = {
  status: 'ready',
  working: 0,
  waiting: 0,
  startsAtLogin: undefined,
};

/** Icon size in pixels at scale 1. */
const macSize = 18;
const linuxSize = 24;
const macScales = [1, 2, 3];

/** Opens the tray icon. `first`: the first state that it shows. @throws the system's error if there is no tray */
export function openTray<View extends TrayView>(
  { menu, actions, scale }: TrayOptions<View>,
  first: View,
): TrayIcon<View> {
  const tray = new Tray(iconImage(first, scale));
  let shown = '';
  const show = (view: View) => {
    const { tooltip, items } = menu(view);
    // Rebuilding the menu takes time, and closes the menu if it is open.
    const current = JSON.stringify([tooltip, items, jobsOf(view), currentBackground()]);
    if (current === shown) return;
    shown = current;
    tray.setImage(iconImage(view, scale));
    tray.setToolTip(tooltip);
    if (process.platform === 'darwin') tray.setTitle(view.status === 'busy' ? String(jobsOf(view)) : '');
    tray.setContextMenu(Menu.buildFromTemplate(items.map((item) => menuEntry(item, actions))));
  };
  // macOS and Linux open the menu on click.
  if (process.platform === 'win32') tray.on('click', () => actions.open?.());
  show(first);
  return {
    show,
    [Symbol.dispose]() {
      tray.destroy();
    },
  };
}

/** Returns the application icon for the window. */
export function applicationIcon(): NativeImage {
  return nativeImage.createFromBuffer(drawIcon({ status: 'ready', jobs: 0, background: 'application' }, 256));
}

/** Copies text to the clipboard. If that fails, the clipboard stays as it was. */
export function copyText(text: string): void {
  // `writeText` returns a promise since Electron 44.
  void Promise.resolve(clipboard.writeText(text)).catch(() => {});
}

/** Returns the icon for a state. `scale`: the scale of the desktop, on Linux. */
function iconImage(view: TrayView, scale: number): NativeImage {
  const icon: Icon = { status: view.status, jobs: jobsOf(view), background: currentBackground() };
  // Electron chooses the size that the panel needs only from an .ico file; it would scale a PNG of 16 pixels.
  if (process.platform === 'win32')
    return nativeImage.createFromPath(join(__dirname, 'tray', `${trayIcoName(icon)}.ico`));
  // Electron sends the panel the pixels of scale 1 only.
  if (process.platform !== 'darwin')
    return nativeImage.createFromBuffer(drawIcon(icon, Math.round(linuxSize * scale)));
  const image = nativeImage.createEmpty();
  for (const scaleFactor of macScales)
    image.addRepresentation({ scaleFactor, buffer: drawIcon(icon, macSize * scaleFactor) });
  image.setTemplateImage(true);
  return image;
}

function jobsOf({ working, waiting }: TrayView): number {
  return working + waiting;
}

/** Returns the kind of panel the icon is drawn for. GNOME's panel is always dark; other Linux desktops follow their theme. */
function currentBackground(): IconBackground {
  if (process.platform === 'darwin') return 'template';
  const gnome = /gnome/i.test(process.env.XDG_CURRENT_DESKTOP ?? '');
  const dark =
    process.platform === 'win32'
      ? nativeTheme.shouldUseDarkColorsForSystemIntegratedUI
      : nativeTheme.shouldUseDarkColors;
  return dark || gnome ? 'dark' : 'light';
}

function menuEntry(item: TrayItem, actions: TrayActions): MenuItemConstructorOptions {
  switch (item.kind) {
    case 'line':
      return { type: 'separator' };
    case 'text':
      return { label: item.label, enabled: false };
    case 'item':
      return { label: item.label, enabled: item.enabled, click: () => actions[item.action]?.() };
    case 'box':
      return {
        type: 'checkbox',
        label: item.label,
        enabled: item.enabled,
        checked: item.checked,
        click: () => actions[item.action]?.(),
      };
  }
}

interface ActionDependencies {
  readonly settings: Pick<Settings, 'log-file'> & { readonly data: string };
  readonly baseUrl: string;
  readonly login: LoginEntry;
  /** Pauses or resumes the service. */
  readonly callConsole: (name: 'pause' | 'resume') => Promise<unknown>;
  /** Shows the console window with the given view. */
  readonly show: (view: WindowTarget) => void;
  /** Reads the state again and updates the tray. */
  readonly refresh: () => void;
}

/** Returns the action of each item of the tray's menu. */
export function trayActions({
  settings,
  baseUrl,
  login,
  callConsole,
  show,
  refresh,
}: ActionDependencies): TrayActions & { readonly open: () => void } {
  // A failed call is ignored: the refreshed menu shows the unchanged state.
  const callAction = (name: 'pause' | 'resume') => () =>
    void callConsole(name)
      .catch(() => {})
      .then(refresh);
  const showAction = (view: WindowTarget) => () => {
    show(view);
  };
  return {
    open: showAction('home'),
    selfTest: showAction('self-test'),
    about: showAction('about'),
    pause: callAction('pause'),
    resume: callAction('resume'),
    copyBaseUrl() {
      copyText(baseUrl);
    },
    startAtLogin() {
      login.write(!login.read().on);
      refresh();
    },
    logs: () => void shell.openPath(logsFolder(settings)),
    // `before-quit` in launcher.ts turns this into a graceful stop.
    quit() {
      app.quit();
    },
  };
}

// Many Linux desktops have no tray area, so an icon would be invisible there.

const statusNotifierWatcher = 'org.kde.StatusNotifierWatcher';

/**
 * Commands that ask the D-Bus session bus whether a tray area (StatusNotifierWatcher) exists. The first command that runs is used.
 */
const trayQueries: readonly (readonly [program: string, ...parameters: string[]])[] = [
  [
    ...(['gdbus', 'call', '--session', '--dest', 'org.freedesktop.DBus'] as const),
    '--object-path',
    '/org/freedesktop/DBus',
    '--method',
    'org.freedesktop.DBus.NameHasOwner',
    statusNotifierWatcher,
  ],
  [
    ...(['dbus-send', '--session', '--print-reply=literal', '--dest=org.freedesktop.DBus'] as const),
    '/org/freedesktop/DBus',
    'org.freedesktop.DBus.NameHasOwner',
    `string:${statusNotifierWatcher}`,
  ],
];

/** Returns whether the desktop has a tray area; false if that cannot be determined. */
export async function hasTrayArea(): Promise<boolean> {
  if (process.platform !== 'linux') return true;
  for (const [program, ...parameters] of trayQueries) {
    const output = await queryProgram(program, parameters);
    if (output !== undefined) return output.includes('true');
  }
  return false;
}

interface StateWatcher extends Disposable {
  /** Reads the state, shows it in the tray and returns it. */
  readonly refresh: () => Promise<TrayView>;
}

interface StateWatchDependencies {
  readonly readState: () => Promise<Pick<ConsoleState, 'status' | 'why' | 'working' | 'waiting'>>;
  readonly login: Pick<LoginEntry, 'read'>;
  readonly show: (view: TrayView) => void;
}

const pollIntervalMs = 1000;

/** Reads the state of the service once a second and shows it. */
export function watchState({ readState, login, show }: StateWatchDependencies): StateWatcher {
  let running: Promise<TrayView> | undefined;
  let ended = false;
  const refresh = () => {
    // Calls during a read share its result.
    running ??= readAndShow().finally(() => (running = undefined));
    return running;
  };
  const readAndShow = async () => {
    const { status, why, working, waiting } = await readState().catch(() => unknownState);
    const { on, possible } = login.read();
    const view = { status, why, working, waiting, startsAtLogin: possible ? on : undefined };
    if (!ended) show(view);
    return view;
  };
  const timer = setInterval(() => void refresh(), pollIntervalMs);
  return {
    refresh,
    [Symbol.dispose]() {
      ended = true;
      clearInterval(timer);
    },
  };
}

const unknownState = { status: 'unavailable', why: undefined, working: 0, waiting: 0 } as const;
