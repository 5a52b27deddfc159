/**
 * The one window people open. It is made at the first click, hidden when it is closed, so that what somebody is composing
 * stays, and ends with the service.
 */
import { join } from 'node:path';
import {
  app,
  BrowserWindow,
  nativeTheme,
  screen,
  type NativeImage,
  type Session,
  type WebContents,
} from 'electron';
import { heedKeys } from './console-keys.ts';
import { channels, consoleOrigin, languagesArgument } from './desk-channels.ts';
import type { DeskEvent, View } from './desk-contract.ts';
import { readPlace, rememberPlace, smallest, type Opening } from './window-place.ts';

export interface ConsoleWindow extends Disposable {
  /** Brings it to the front. */
  readonly show: (view: View) => void;
  readonly tell: (event: DeskEvent) => void;
  /** To hang dialogs on; undefined before the first click. */
  readonly window: () => BrowserWindow | undefined;
}

export interface WindowParts {
  readonly session: Session;
  readonly icon: NativeImage;
  readonly languages: readonly string[];
  /** How much larger than Chromium thinks everything is to be (system-scale.ts). */
  readonly scale: number;
  /** Where its place is remembered. */
  readonly placeFile: string;
  /** Told of the contents of each window that is made, before they load. */
  readonly onMade: (contents: WebContents) => void;
}

/** What lies under the page until it has painted; renderer/style has the same. */
const background = { light: '#f3f2ef', dark: '#15171a' } as const;

export function openConsoleWindow(parts: WindowParts): ConsoleWindow {
  let open: Made | undefined;
  const tell = (event: DeskEvent) => {
    const made = open;
    void made?.loaded.then(() => {
      if (!made.window.isDestroyed()) made.window.webContents.send(channels.event, event);
    });
  };
  const recolour = () => open?.window.setBackgroundColor(backgroundNow());
  nativeTheme.on('updated', recolour);
  const make = () => {
    const made = makeWindow(parts);
    made.window.once('closed', () => {
      if (open === made) open = undefined;
    });
    return made;
  };
  return {
    tell,
    show(view) {
      if (open?.window.isDestroyed() !== false) open = make();
      void bringToFront(open);
      if (view !== 'home') tell({ kind: 'show', view });
    },
    window: () => open?.window,
    [Symbol.dispose]() {
      nativeTheme.off('updated', recolour);
      if (open === undefined) return;
      remember(open.window, parts.placeFile);
      open.window.destroy();
    },
  };
}

interface Made {
  readonly window: BrowserWindow;
  /** The page listens; it may never be so. */
  readonly loaded: Promise<void>;
  /** It has something to show; then it may be shown. */
  readonly painted: Promise<void>;
}

function makeWindow({ session, icon, languages, placeFile, scale, onMade }: WindowParts): Made {
  const place = readPlace(
    placeFile,
    screen.getAllDisplays().map(({ workArea }) => workArea),
    scale,
  );
  const window = new BrowserWindow({
    ...{ show: false, title: 'Platen', icon, backgroundColor: backgroundNow() },
    ...{ minWidth: smallest.width, minHeight: smallest.height, ...sizeOf(place) },
    webPreferences: preferences(session, languages),
  });
  const { webContents: contents } = window;
  window.removeMenu();
  if (place.maximized)
    window.once('show', () => {
      window.maximize();
    });
  window.on('close', (event) => {
    event.preventDefault();
    remember(window, placeFile);
    window.hide();
    app.dock?.hide();
  });
  // What is left of it shows nothing; the next click makes another.
  contents.on('render-process-gone', () => {
    window.destroy();
  });
  heedKeys(window, scale);
  onMade(contents);
  const painted = once((done) => window.once('ready-to-show', done));
  const loaded = once((done) => contents.once('did-finish-load', done));
  // Chromium keeps it for the origin, and knows none before the first page has been committed.
  contents.once('did-navigate', () => {
    contents.setZoomFactor(scale);
  });
  void contents.loadURL(`${consoleOrigin}/`).catch(() => {});
  return { window, loaded, painted };
}

function sizeOf({ width, height, x, y }: Opening): Partial<Electron.Rectangle> {
  return { width, height, ...(x !== undefined && y !== undefined && { x, y }) };
}

function once(listen: (done: () => void) => void): Promise<void> {
  return new Promise((resolve) => {
    listen(resolve);
  });
}

function preferences(session: Session, languages: readonly string[]): Electron.WebPreferences {
  return {
    session,
    preload: join(__dirname, 'console-preload.cjs'),
    additionalArguments: [languagesArgument + languages.join(',')],
    sandbox: true,
    contextIsolation: true,
    nodeIntegration: false,
    webviewTag: false,
    spellcheck: false,
    plugins: false,
    navigateOnDragDrop: false,
    devTools: !app.isPackaged,
  };
}

async function bringToFront({ window, painted }: Made): Promise<void> {
  await painted;
  if (window.isDestroyed()) return;
  await app.dock?.show();
  if (window.isMinimized()) window.restore();
  window.show();
  window.focus();
}

function remember(window: BrowserWindow, file: string): void {
  if (window.isDestroyed() || window.isMinimized()) return;
  const maximized = window.isMaximized();
  rememberPlace(file, { ...(maximized ? window.getNormalBounds() : window.getBounds()), maximized });
}

function backgroundNow(): string {
  return nativeTheme.shouldUseDarkColors ? background.dark : background.light;
}
