/** The tray's window of a service that runs, and when there is one. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { lockDataFolder } from '../../main/launch/data-folder-lock.ts';
import { openDisplay } from '../../main/launch/display.ts';
import { openConsoleWindow, type ConsoleWindow } from '../support/console-window.ts';
import { send } from '../support/convert.ts';
import { hasWritten } from '../support/has-said.ts';
import { project, spawnPlaten, startService, temporaryFolder } from '../support/service.ts';

const renderer = join(project, 'test', 'fixtures', 'window');

/** Resolves when its window is on the screen, or is not. */
async function whenVisible({ app }: ConsoleWindow, wanted: boolean): Promise<void> {
  const visible = () =>
    app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().some((window) => window.isVisible()));
  // There is no event to wait for: what happens before the first question is no event any more.
  while ((await visible()) !== wanted) await setTimeout(20);
}

describe('The window of a service', () => {
  test('is open from the start without a tray, and shows the state of the service', async () => {
    await using window = await openConsoleWindow({ renderer });
    await whenVisible(window, true);
    await window.page.locator('output').filter({ hasText: 'ready' }).waitFor();
    const colour = await window.page.locator('h1').evaluate((heading) => getComputedStyle(heading).color);
    assert.equal(colour, 'rgb(1, 2, 3)', 'its own style sheet is in force');
  });

  test('can be closed without an end to the service, and a second start brings it back', async () => {
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
    let said = '';
    second.stderr?.on('data', (bytes: Buffer) => (said += bytes.toString()));
    assert.deepEqual(await once(second, 'exit'), [1, null]);
    assert.match(said, /is already in use by process \d+\.\n$/);
    await whenVisible(window, true);
  });

  test('closes on quit, after the running job', async () => {
    await using window = await openConsoleWindow({ renderer });
    const conversion = send(window, { text: '<p>slow', javascript_delay: 3000 });
    await window.page.evaluate(async () => {
      const { platen } = window as unknown as {
        platen: { call: (name: string, input: object) => Promise<{ result: { is: string } }> };
      };
      while ((await platen.call('state', {})).result.is !== 'busy') await new Promise(requestAnimationFrame);
    });
    const ended = once(window.app.process(), 'exit');
    await window.app.evaluate(({ app }) => {
      app.quit();
    });
    assert.equal((await conversion).status, 200);
    assert.deepEqual(await ended, [0, null]);
  });
});

describe('A tray', { skip: process.platform !== 'linux' && 'elsewhere there is always a desktop' }, () => {
  /** Started as at a desktop, with what is listed. */
  async function start(environment: Readonly<Record<string, string>>, display?: string) {
    const data = temporaryFolder();
    const service = await startService({
      data,
      environment: { PLATEN_TRAY: '', PLATEN_RENDERER: renderer, DISPLAY: display ?? '', ...environment },
    });
    assert.equal((await send(service, { text: '<p>converted' })).status, 200);
    return service;
  }

  test('requested without a desktop is one log line, and the service runs without it', async () => {
    await using service = await start({ PLATEN_TRAY: 'on' });
    assert.equal(await hasWritten(service, /tray=on has no effect/), 1);
    assert.equal(existsSync(join(service.data, 'tray')), false);
  });

  test('is silently absent without a desktop, or when it is off', async () => {
    await using display = await openDisplay();
    await using without = await start({});
    await using off = await start({ PLATEN_TRAY: 'off' }, display.environment.DISPLAY ?? process.env.DISPLAY);
    for (const service of [without, off]) {
      assert.equal(existsSync(join(service.data, 'tray')), false);
      assert.doesNotMatch(service.log(), /tray/);
    }
  });

  test('is there at a desktop, and takes nothing along when the service ends', async () => {
    await using display = await openDisplay();
    await using service = await start({}, display.environment.DISPLAY ?? process.env.DISPLAY);
    while (!existsSync(join(service.data, 'tray'))) await setTimeout(20);
    assert.equal(await service.stop(), 0);
    assert.equal(existsSync(join(service.data, 'tray')), false);
    assert.doesNotMatch(service.log(), /tray/);
  });
});
