/** Starts the service in Electron, as the launcher does, and drives the page of its console window with Playwright. */
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { _electron, type ElectronApplication, type Page } from 'playwright-core';
import type { WindowBridge } from '../../../main/app/native-bridge/contract.ts';
import { openDisplay } from '../../../main/launch/display.ts';
import { requestShow } from '../../../main/launch/request-file.ts';
import { project, temporaryFolder } from '../service/service.ts';
import { waitUntil } from '../wait-until.ts';

export interface ConsoleWindowSession extends AsyncDisposable {
  readonly app: ElectronApplication;
  /** The page of the window, which is open. */
  readonly page: Page;
  /** Closes the window of this page, opens another window as a second start of the program does, and resolves with its page. */
  readonly openAnother: (page: Page) => Promise<Page>;
  /** The URL of the service, without a trailing slash. */
  readonly url: string;
  readonly data: string;
  /** The X display of the window. */
  readonly display: string;
  /** Standard error of the service so far. */
  readonly log: () => string;
  /** Stops the service, with SIGTERM where there are signals, and resolves with its exit code. */
  readonly quit: () => Promise<number | null>;
}

export interface WindowStart {
  readonly environment?: Readonly<Record<string, string>>;
  /** Uses this data folder instead of a temporary one. */
  readonly data?: string;
  /** The folder of the files of the user interface; default: the built files. */
  readonly renderer?: string;
}

/** Long enough for a slow disk. */
const timeoutMs = 120_000;

/** Resolves when the page has loaded. */
export async function openConsoleWindow(start: WindowStart = {}): Promise<ConsoleWindowSession> {
  const data = start.data ?? temporaryFolder();
  const display = await openDisplay();
  const app = await _electron.launch({
    executablePath: electron(),
    args: [...(process.getuid?.() === 0 ? ['--no-sandbox'] : []), '--ozone-platform=x11', project],
    env: {
      ...inherited(),
      ...display.environment,
      PLATEN_PORT: '0',
      PLATEN_DATA: data,
      PLATEN_DESKTOP: 'on',
      PLATEN_TRAY: 'on',
      PLATEN_NODE: process.execPath,
      ...(start.renderer !== undefined && { PLATEN_RENDERER: start.renderer }),
      ...start.environment,
    },
    timeout: timeoutMs,
  });
  let log = '';
  const child = app.process();
  child.stderr?.on('data', (bytes: Buffer) => (log += bytes.toString()));
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const quit = async () => {
    // Windows has no signals. The connection of Playwright may end before the answer.
    if (process.platform === 'win32')
      await app
        .evaluate((electron) => {
          electron.app.quit();
        })
        .catch(() => {});
    else child.kill('SIGTERM');
    return await ended;
  };
  // Without a tray, as on the X display of the tests, the service opens the window when it starts.
  if (process.platform !== 'linux')
    await waitUntil('the service listens for requests to show the window', () => requestShow(data));
  const page = await consolePage(app);
  return {
    app,
    data,
    quit,
    page,
    url: await baseUrl(page),
    async openAnother(before) {
      const closed = before.waitForEvent('close', { timeout: timeoutMs });
      await app.evaluate(({ BrowserWindow }) => {
        for (const each of BrowserWindow.getAllWindows())
          if (each.webContents.getURL().startsWith('platen-console:')) each.destroy();
      });
      await closed;
      requestShow(data);
      return consolePage(app);
    },
    display: display.environment.DISPLAY ?? process.env.DISPLAY ?? '',
    log: () => log,
    async [Symbol.asyncDispose]() {
      if (child.exitCode === null && child.signalCode === null) await quit();
      await display[Symbol.asyncDispose]();
      rmSync(data, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** Waits for the page of the console. Playwright also lists the windows of jobs as pages. */
async function consolePage(app: ElectronApplication): Promise<Page> {
  const isConsole = (page: Page) => page.url().startsWith('platen-console:');
  for (;;) {
    const page = app.windows().find(isConsole);
    if (page !== undefined) {
      await page.waitForLoadState('load', { timeout: timeoutMs });
      return page;
    }
    await Promise.race([
      app.waitForEvent('window', { timeout: timeoutMs }),
      ...app.windows().map((window) => window.waitForEvent('framenavigated', { timeout: timeoutMs })),
    ]);
  }
}

/** Ten times as long as a frame takes on a busy machine. */
const frameTimeoutMs = 10_000;

/** Resolves with whether the page draws no frame within ten seconds (docs/decisions/0042-raster-threads.md). */
export async function hasStoppedDrawing(page: Page): Promise<boolean> {
  const frame = page
    .evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)))
    .then(() => false);
  return await Promise.race([frame, pause(frameTimeoutMs, true)]);
}

function baseUrl(page: Page): Promise<string> {
  return page.evaluate(async () => {
    const { platen } = window as unknown as { platen: WindowBridge };
    const answer = await platen.call('state', {});
    if (answer.kind === 'refused') throw new Error(answer.refusal.message);
    return answer.result.baseUrl;
  });
}

export function electron(): string {
  const chosen = JSON.parse(readFileSync(join(project, '.build', 'runtime.json'), 'utf8')) as {
    electron: string;
  };
  return chosen.electron;
}

function inherited(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}
