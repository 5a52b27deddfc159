/** The tray and the window of a running service. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { lockDataFolder } from '../../main/launch/data-folder-lock.ts';
import { openDisplay } from '../../main/launch/display.ts';
import { openConsoleWindow, type ConsoleWindowSession } from '../support/console/console-window.ts';
import { send } from '../support/service/convert.ts';
import { waitForStderr } from '../support/service/wait-for-log.ts';
import { project, spawnPlaten, startService, temporaryFolder } from '../support/service/service.ts';

const renderer = join(project, 'test', 'fixtures', 'window');

/** Resolves when a window of the service is visible, or when none is, according to `visibility`. */
async function whenVisible({ app }: ConsoleWindowSession, visibility: boolean): Promise<void> {
  const visible = () =>
    app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().some((window) => window.isVisible()));
  // Polls, because the window may become visible before a listener could be attached.
  while ((await visible()) !== visibility) await setTimeout(20);
}

/** Resolves when the service runs a job. */
async function whenBusy({ page }: ConsoleWindowSession): Promise<void> {
  await page.evaluate(async () => {
    const { platen } = window as unknown as {
      platen: { call: (name: string, input: object) => Promise<{ result: { status: string } }> };
    };
    while ((await platen.call('state', {})).result.status !== 'busy')
      await new Promise(requestAnimationFrame);
  });
}

describe('The window of a service', () => {
  test('is open after the start if there is no tray, and shows the status of the service', async () => {
    await using window = await openConsoleWindow({ renderer });
    await whenVisible(window, true);
    await window.page.locator('output').filter({ hasText: 'ready' }).waitFor();
    const colour = await window.page.locator('h1').evaluate((heading) => getComputedStyle(heading).color);
    assert.equal(colour, 'rgb(1, 2, 3)', 'the style sheet of the page does not apply');
  });

  test('can be closed while the service continues, and a second start opens it again', async () => {
    await using window = await openConsoleWindow({ renderer });
    await whenVisible(window, true);
    await window.app.evaluate(({ BrowserWindow }) => {
      for (const each of BrowserWindow.getAllWindows()) if (each.isVisible()) each.close();
    });
    await whenVisible(window, false);
    assert.equal((await fetch(`${window.url}/health`)).status, 200);
    assert.equal((await send(window, { text: '<p>without a window' })).status, 200);
    using _lock = lockDataFolder(window.data);
    const second = spawnPlaten(['serve', '--data', window.data], { DISPLAY: window.display });
    let output = '';
    second.stderr?.on('data', (bytes: Buffer) => (output += bytes.toString()));
    assert.deepEqual(await once(second, 'exit'), [1, null]);
    assert.match(output, /is already in use by process \d+\.\n$/);
    await whenVisible(window, true);
  });

  test('opens again when macOS activates the application', async () => {
    await using window = await openConsoleWindow({ renderer });
    await whenVisible(window, true);
    await window.app.evaluate(({ app, BrowserWindow }) => {
      for (const each of BrowserWindow.getAllWindows()) if (each.isVisible()) each.close();
      app.emit('activate');
    });
    await whenVisible(window, true);
  });

  test('does not delay a logout: the service ends within five seconds, although a job is running', async () => {
    await using window = await openConsoleWindow({ renderer });
    const conversion = send(window, { text: '<p>slow', javascript_delay: 30_000 });
    await whenBusy(window);
    const ended = once(window.app.process(), 'exit');
    const isHandled = await window.app.evaluate(({ BrowserWindow, powerMonitor }) => {
      // Windows informs the windows, and continues the logout in any case.
      if (process.platform === 'win32') return BrowserWindow.getAllWindows()[0]?.emit('session-end');
      let isDefaultPrevented = false;
      powerMonitor.emit('shutdown', { preventDefault: () => (isDefaultPrevented = true) });
      return isDefaultPrevented;
    });
    // Electron would quit otherwise, and macOS would cancel the logout because the service prevents that.
    assert.equal(isHandled, true);
    const start = performance.now();
    assert.equal((await conversion).status, 503);
    assert.deepEqual(await ended, [0, null]);
    assert.ok(performance.now() - start < 5000, `${performance.now() - start} ms`);
  });

  test('closes when the application quits, after the running job', async () => {
    await using window = await openConsoleWindow({ renderer });
    const conversion = send(window, { text: '<p>slow', javascript_delay: 3000 });
    await whenBusy(window);
    const ended = once(window.app.process(), 'exit');
    await window.app.evaluate(({ app }) => {
      app.quit();
    });
    assert.equal((await conversion).status, 200);
    assert.deepEqual(await ended, [0, null]);
  });
});

describe('A tray', { skip: process.platform !== 'linux' && 'other systems always have a desktop' }, () => {
  /** Starts the service as on a desktop, with the given environment. */
  async function start(environment: Readonly<Record<string, string>>, display?: string) {
    const data = temporaryFolder();
    const service = await startService({
      data,
      environment: { PLATEN_TRAY: '', PLATEN_RENDERER: renderer, DISPLAY: display ?? '', ...environment },
    });
    assert.equal((await send(service, { text: '<p>converted' })).status, 200);
    return service;
  }

  test('that is requested without a desktop causes one log line, and the service runs', async () => {
    await using service = await start({ PLATEN_TRAY: 'on' });
    assert.equal(await waitForStderr(service, /tray=on has no effect/), 1);
    assert.equal(existsSync(join(service.data, 'tray')), false);
  });

  test('is absent, without a log line, if there is no desktop or the tray is off', async () => {
    await using display = await openDisplay();
    await using without = await start({});
    await using off = await start({ PLATEN_TRAY: 'off' }, display.environment.DISPLAY ?? process.env.DISPLAY);
    for (const service of [without, off]) {
      assert.equal(existsSync(join(service.data, 'tray')), false);
      assert.doesNotMatch(service.log(), /tray/);
    }
  });

  test('appears on a desktop, and removes its files when the service ends', async () => {
    await using display = await openDisplay();
    await using service = await start({}, display.environment.DISPLAY ?? process.env.DISPLAY);
    while (!existsSync(join(service.data, 'tray'))) await setTimeout(20);
    assert.equal(await service.stop(), 0);
    assert.equal(existsSync(join(service.data, 'tray')), false);
    assert.doesNotMatch(service.log(), /tray/);
  });
});
