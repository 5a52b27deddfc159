/**
 * Owns the console window, which is created when first shown. Closing it only hides it, so that input not yet submitted is kept. It
 * is destroyed when the service stops.
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
  type Input,
} from 'electron';
import {
  channels,
  consoleOrigin,
  languagesArgument,
  type NativeEvent,
  type WindowTarget,
} from '../native-bridge/contract.ts';
import { isReachable, readBounds, saveBounds, minSize, type OpeningBounds } from './window-bounds.ts';

export interface ConsoleWindow extends Disposable {
  /** Shows the window in front and switches to the view. Creates the window if there is none. */
  readonly show: (view: WindowTarget) => void;
  readonly sendEvent: (event: NativeEvent) => void;
  /** The parent window for dialogs; undefined while there is none. */
  readonly window: () => BrowserWindow | undefined;
}

interface WindowOptions {
  readonly session: Session;
  readonly icon: NativeImage;
  readonly languages: readonly string[];
  /** The display scale of the desktop, from `systemScale`. */
  readonly scale: number;
  /** Path of the file that stores position and size. */
  readonly boundsFile: string;
  /** Called with the web contents of each new window before the page loads. */
  readonly onCreated: (contents: WebContents) => void;
}

/** The background colour before the first paint; the same colours as in renderer/style. */
const background = { light: '#f3f2ef', dark: '#15171a' } as const;

export function openConsoleWindow(options: WindowOptions): ConsoleWindow {
  let current: OpenWindow | undefined;
  const sendEvent = (event: NativeEvent) => {
    const target = current;
    void target?.loaded.then(() => {
      if (!target.window.isDestroyed()) target.window.webContents.send(channels.event, event);
    });
  };
  const updateBackground = () => current?.window.setBackgroundColor(currentBackground());
  nativeTheme.on('updated', updateBackground);
  const create = () => {
    const created = createWindow(options);
    created.window.once('closed', () => {
      if (current === created) current = undefined;
    });
    return created;
  };
  return {
    sendEvent,
    show(view) {
      if (current?.window.isDestroyed() !== false) current = create();
      void bringToFront(current);
      if (view !== 'home') sendEvent({ kind: 'show', view });
    },
    window: () => current?.window,
    [Symbol.dispose]() {
      nativeTheme.off('updated', updateBackground);
      if (current === undefined) return;
      saveCurrentBounds(current.window, options.boundsFile);
      current.window.destroy();
    },
  };
}

interface OpenWindow {
  readonly window: BrowserWindow;
  /** Resolves at `did-finish-load`, when the page can receive events. Stays pending if the page does not load. */
  readonly loaded: Promise<void>;
  /** Resolves when the first frame is painted. */
  readonly painted: Promise<void>;
}

function createWindow({ session, icon, languages, boundsFile, scale, onCreated }: WindowOptions): OpenWindow {
  const bounds = readBounds(boundsFile, workAreas(), scale);
  const window = new BrowserWindow({
    show: false,
    title: 'Platen',
    icon,
    backgroundColor: currentBackground(),
    minWidth: minSize.width,
    minHeight: minSize.height,
    ...rectangleOf(bounds),
    webPreferences: preferences(session, languages),
  });
  const { webContents: contents } = window;
  window.removeMenu();
  if (bounds.maximized)
    window.once('show', () => {
      window.maximize();
    });
  window.on('close', (event) => {
    event.preventDefault();
    saveCurrentBounds(window, boundsFile);
    window.hide();
    app.dock?.hide();
  });
  // Without its renderer the window is blank. It is destroyed, and the next `show` creates a new one.
  contents.on('render-process-gone', () => {
    window.destroy();
  });
  handleShortcuts(window, scale);
  onCreated(contents);
  const painted = once((done) => window.once('ready-to-show', done));
  const loaded = once((done) => contents.once('did-finish-load', done));
  // Chromium stores the zoom per origin, and there is no origin before the first navigation.
  contents.once('did-navigate', () => {
    contents.setZoomFactor(scale);
  });
  void contents.loadURL(`${consoleOrigin}/`).catch(() => {});
  return { window, loaded, painted };
}

/** Returns the work areas of the displays, the primary display first. */
export function workAreas(): Electron.Rectangle[] {
  const primary = screen.getPrimaryDisplay();
  const others = screen.getAllDisplays().filter(({ id }) => id !== primary.id);
  return [primary, ...others].map(({ workArea }) => workArea);
}

function rectangleOf({ width, height, x, y }: OpeningBounds): Partial<Electron.Rectangle> {
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

async function bringToFront({ window, painted }: OpenWindow): Promise<void> {
  await painted;
  if (window.isDestroyed()) return;
  await app.dock?.show();
  if (window.isMinimized()) window.restore();
  // The display of a hidden window may have been disconnected.
  if (!isReachable(window.getBounds(), workAreas())) window.center();
  window.show();
  window.focus();
}

function saveCurrentBounds(window: BrowserWindow, file: string): void {
  if (window.isDestroyed() || window.isMinimized()) return;
  const maximized = window.isMaximized();
  saveBounds(file, { ...(maximized ? window.getNormalBounds() : window.getBounds()), maximized });
}

function currentBackground(): string {
  return nativeTheme.shouldUseDarkColors ? background.dark : background.light;
}

// Keyboard shortcuts: zoom, reload, close, and developer tools in development. The window has no menu bar that would provide them.

/** Zoom levels of Chromium. The zoom factor is 1.2 to the power of the level: about 48 % to 299 %. */
const zoom = { step: 0.5, min: -4, max: 6 } as const;

/** Handles the shortcuts. `scale` is the zoom factor that counts as 100 %. */
function handleShortcuts(window: BrowserWindow, scale: number): void {
  const { webContents: contents } = window;
  contents.on('before-input-event', (event, input) => {
    const action = actionFor(input, window, scale);
    if (action === undefined) return;
    event.preventDefault();
    action();
  });
}

function actionFor(input: Input, window: BrowserWindow, scale: number): (() => void) | undefined {
  if (input.type !== 'keyDown') return undefined;
  const { webContents: contents } = window;
  const isCommand = process.platform === 'darwin' ? input.meta : input.control;
  const key = input.key.toLowerCase();
  if (key === 'f5' || (isCommand && key === 'r'))
    return () => {
      contents.reload();
    };
  if (key === 'f12' && !app.isPackaged)
    return () => {
      contents.toggleDevTools();
    };
  if (!isCommand || input.alt) return undefined;
  if (key === '+' || key === '=')
    return () => {
      zoomTo(contents, contents.getZoomLevel() + zoom.step);
    };
  if (key === '-')
    return () => {
      zoomTo(contents, contents.getZoomLevel() - zoom.step);
    };
  if (key === '0')
    return () => {
      contents.setZoomFactor(scale);
    };
  if (key === 'w')
    return () => {
      window.close();
    };
  return undefined;
}

function zoomTo(contents: WebContents, level: number): void {
  contents.setZoomLevel(Math.min(Math.max(level, zoom.min), zoom.max));
}
