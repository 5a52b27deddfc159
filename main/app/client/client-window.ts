/**
 * The window of the desktop client: the web console of the service, the sign-in page, or a page that says that the service is not
 * running.
 */
import { join } from 'node:path';
import { app, BrowserWindow, shell, type Session } from 'electron';
import { workAreas } from '../console-window/console-window.ts';
import { isReachable, minSize, readBounds, saveBounds } from '../console-window/window-bounds.ts';
import { applicationIcon } from '../tray/tray.ts';

/** The scheme of the pages in pages.ts. */
export const clientScheme = 'platen-client';
const clientOrigin = `${clientScheme}://app`;

export type ClientView = 'console' | 'sign-in' | 'not-running';

export class ClientWindow {
  readonly #session: Session;
  readonly #serviceUrl: () => string | undefined;
  readonly #boundsFile: string;
  #window: BrowserWindow | undefined;
  #view: ClientView = 'not-running';
  /** The URL of the console that the window shows. */
  #shownUrl: string | undefined;

  constructor(session: Session, serviceUrl: () => string | undefined) {
    this.#session = session;
    this.#serviceUrl = serviceUrl;
    this.#boundsFile = join(app.getPath('userData'), 'window.json');
  }

  /** Shows the window in front. Creates it if there is none. */
  show(): void {
    if (this.#window === undefined) {
      this.#window = this.#create();
      this.#load();
    }
    if (this.#window.isMinimized()) this.#window.restore();
    if (!isReachable(this.#window.getBounds(), workAreas())) this.#window.center();
    this.#window.show();
    this.#window.focus();
    void app.dock?.show();
  }

  /** Switches the view. Keeps a console that is open while its service does not respond, because that page reconnects by itself. */
  setView(view: ClientView): void {
    const keepsConsole = view === 'not-running' && this.#view === 'console';
    if (keepsConsole || (view === this.#view && this.#shownUrl === this.#serviceUrl())) return;
    this.#view = view;
    this.#load();
  }

  #load(): void {
    const url = this.#serviceUrl();
    this.#shownUrl = url;
    const target = this.#view === 'console' ? `${url ?? ''}/` : `${clientOrigin}/${this.#view}`;
    // A failed load is followed by another state of the service.
    void this.#window?.loadURL(target).catch(() => {});
  }

  #create(): BrowserWindow {
    const { maximized, ...bounds } = readBounds(this.#boundsFile, workAreas());
    const window = new BrowserWindow({
      ...bounds,
      show: false,
      title: 'Platen',
      icon: applicationIcon(),
      minWidth: minSize.width,
      minHeight: minSize.height,
      webPreferences: {
        session: this.#session,
        sandbox: true,
        contextIsolation: true,
        nodeIntegration: false,
        spellcheck: false,
        navigateOnDragDrop: false,
        devTools: !app.isPackaged,
      },
    });
    window.removeMenu();
    if (maximized) window.maximize();
    window.on('close', () => {
      if (!window.isMinimized())
        saveBounds(this.#boundsFile, { ...window.getNormalBounds(), maximized: window.isMaximized() });
    });
    window.once('closed', () => {
      this.#window = undefined;
      app.dock?.hide();
    });
    const { webContents: contents } = window;
    contents.on('render-process-gone', () => {
      window.destroy();
    });
    contents.on('will-navigate', (event) => {
      if (!this.#mayShow(event.url)) event.preventDefault();
    });
    contents.on('will-redirect', (event) => {
      if (!this.#mayShow(event.url)) event.preventDefault();
    });
    contents.setWindowOpenHandler(({ url }) => {
      // Debug logs and outputs open in the default browser, and nothing of other origins.
      if (this.#isOfService(url)) void shell.openExternal(url);
      return { action: 'deny' };
    });
    return window;
  }

  #mayShow(url: string): boolean {
    return url.startsWith(`${clientOrigin}/`) || this.#isOfService(url);
  }

  #isOfService(url: string): boolean {
    const service = this.#serviceUrl();
    return service !== undefined && url.startsWith(`${service}/`);
  }
}
