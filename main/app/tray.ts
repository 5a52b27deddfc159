/** The icon in the tray: shows a state and its menu, and passes on what is clicked. */
import {
  Menu,
  nativeImage,
  nativeTheme,
  Tray,
  type MenuItemConstructorOptions,
  type NativeImage,
} from 'electron';
import type { Texts } from './texts.ts';
import { drawIcon, type Icon, type IconGround } from './tray-icon.ts';
import { trayMenu, type TrayAction, type TrayItem, type TrayView } from './tray-menu.ts';

export interface TrayIcon extends Disposable {
  /** Does nothing when it shows that already. */
  readonly show: (view: TrayView) => void;
}

export type TrayActions = Readonly<Record<TrayAction, () => void>>;

interface TrayParts {
  readonly texts: Texts;
  readonly actions: TrayActions;
}

const ready: TrayView = {
  ...{ is: 'ready', working: 0, waiting: 0, startsAtLogin: undefined },
};

/** Side in pixels at a scale of 1, and the scales there are. */
const sizes: Readonly<Partial<Record<NodeJS.Platform, readonly [side: number, ...scales: number[]]>>> = {
  darwin: [18, 1, 2],
  win32: [16, 1, 1.25, 1.5, 2, 2.5, 3],
};

/** Of a service that is ready, until another state is shown. @throws what the system says where there is no tray */
export function openTray({ texts, actions }: TrayParts): TrayIcon {
  const tray = new Tray(picture(ready));
  let shown = '';
  const show = (view: TrayView) => {
    const { tooltip, items } = trayMenu(view, texts);
    // Rebuilding a menu closes it under the pointer, and costs time.
    const now = JSON.stringify([tooltip, items, jobsOf(view), groundNow()]);
    if (now === shown) return;
    shown = now;
    tray.setImage(picture(view));
    tray.setToolTip(tooltip);
    if (process.platform === 'darwin') tray.setTitle(view.is === 'busy' ? String(jobsOf(view)) : '');
    tray.setContextMenu(Menu.buildFromTemplate(items.map((item) => entryOf(item, actions))));
  };
  // macOS and Linux open the menu by themselves.
  if (process.platform === 'win32') tray.on('click', actions.open);
  show(ready);
  return {
    show,
    [Symbol.dispose]() {
      tray.destroy();
    },
  };
}

/** The application's own picture, for its window. */
export function applicationPicture(): NativeImage {
  return nativeImage.createFromBuffer(drawIcon({ is: 'ready', jobs: 0, ground: 'application' }, 256));
}

function picture(view: TrayView): NativeImage {
  const icon: Icon = { is: view.is, jobs: jobsOf(view), ground: groundNow() };
  const [side, ...scales] = sizes[process.platform] ?? [24, 1, 2];
  const image = nativeImage.createEmpty();
  for (const scaleFactor of scales)
    image.addRepresentation({ scaleFactor, buffer: drawIcon(icon, Math.round(side * scaleFactor)) });
  image.setTemplateImage(icon.ground === 'template');
  return image;
}

function jobsOf({ working, waiting }: TrayView): number {
  return working + waiting;
}

/** GNOME's panel is dark under every theme; other desktops of Linux follow theirs. */
function groundNow(): IconGround {
  if (process.platform === 'darwin') return 'template';
  const gnome = /gnome/i.test(process.env.XDG_CURRENT_DESKTOP ?? '');
  const dark =
    process.platform === 'win32'
      ? nativeTheme.shouldUseDarkColorsForSystemIntegratedUI
      : nativeTheme.shouldUseDarkColors;
  return dark || gnome ? 'dark' : 'light';
}

function entryOf(item: TrayItem, actions: TrayActions): MenuItemConstructorOptions {
  switch (item.kind) {
    case 'line':
      return { type: 'separator' };
    case 'text':
      return { label: item.label, enabled: false };
    case 'item':
      return { label: item.label, enabled: item.enabled, click: actions[item.does] };
    case 'box':
      return {
        ...{ type: 'checkbox', label: item.label, enabled: item.enabled },
        checked: item.checked,
        click: actions[item.does],
      };
  }
}
