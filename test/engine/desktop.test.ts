/** The tray icon and the console window, if one of their parts cannot be opened. */
import assert from 'node:assert/strict';
import { join, resolve } from 'node:path';
import { tmpdir } from 'node:os';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { app, nativeTheme, session, Tray } from 'electron';
import { openConsoleSession } from '../../main/app/console-window/console-scheme.ts';
import { openDesktop } from '../../main/app/desktop.ts';
import { desktopVariable } from '../../main/launch/messages.ts';
import '../support/service/engine.ts';

const account = { id: 7, name: 'tray', operator: true, debugLog: true };

test('the tray icon and the window are closed if the service cannot listen for requests to show the window', async (t) => {
  await app.whenReady();
  releaseConsoleSession();
  t.after(() => {
    releaseConsoleSession();
    // The tests of the console window use this session.
    openConsoleSession(resolve('test', 'fixtures', 'window'));
  });
  process.env[desktopVariable] = 'on';
  t.after(() => (process.env[desktopVariable] = 'off'));
  const warnings: unknown[] = [];
  let stateReads = 0;
  const themeListeners = nativeTheme.listenerCount('updated');
  const destroyTray = t.mock.method(Tray.prototype, 'destroy');
  await using desktop = openDesktop({
    settings: {
      tray: undefined,
      'base-url': undefined,
      'log-file': undefined,
      'max-upload': 1000,
      // The folder for the requests cannot be created, because its parent does not exist.
      data: join(tmpdir(), 'platen-missing', String(process.pid)),
    },
    log: { warn: (entry: unknown) => warnings.push(entry) } as never,
    console: {
      call() {
        stateReads += 1;
        return Promise.resolve({ status: 'ready', working: 0, waiting: 0 });
      },
    } as never,
    account: () => Promise.resolve(account as never),
  });
  await desktop.begin('http://127.0.0.1:1');
  assert.equal(warnings.length, 1);
  assert.equal(stateReads, 1);
  assert.equal(destroyTray.mock.callCount(), 1);
  assert.equal(nativeTheme.listenerCount('updated'), themeListeners);
  await pause(1100);
  assert.equal(stateReads, 1);
});

/** Lets the session of the console window be opened again. */
function releaseConsoleSession(): void {
  const { protocol } = session.fromPartition('console');
  if (protocol.isProtocolHandled('platen-console')) protocol.unhandle('platen-console');
}
