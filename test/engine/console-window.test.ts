import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, before, beforeEach, describe, test } from 'node:test';
import { app, clipboard, nativeImage, type BrowserWindow } from 'electron';
import { FirstKeyFile } from '../../main/app/first-key.ts';
import { openPickedFiles, type PickedFiles } from '../../main/app/native-bridge/picked-files.ts';
import { openConsoleChannel } from '../../main/app/console-window/console-channel.ts';
import { openConsoleSession } from '../../main/app/console-window/console-scheme.ts';
import { openConsoleWindow, type ConsoleWindow } from '../../main/app/console-window/console-window.ts';
import { openNativeBridge } from '../../main/app/native-bridge/native-bridge.ts';
import { textsFor } from '../../main/app/tray/texts.ts';
import type { StartRun } from '../../main/console/runs.ts';
import { Failure } from '../../main/failure/failure.ts';
import '../support/service/engine.ts';
import { whenLoaded } from '../support/service/loaded-page.ts';

const account = { id: 7, name: 'tray', operator: true, debugLog: true };
let folder = '';
let window: ConsoleWindow;
let pickedFiles: PickedFiles;
let faults: unknown[] = [];
let windowsCreated = 0;
/** Resolves when the newest page has loaded. */
let loaded: Promise<void>;
let run: StartRun;

before(async () => {
  await app.whenReady();
  folder = mkdtempSync(join(tmpdir(), 'platen-window-'));
  pickedFiles = openPickedFiles({
    maxTextBytes: 1000,
    onChanged(id) {
      window.sendEvent({ kind: 'changed', id });
    },
  });
  const parts = {
    account,
    maxUpload: 1000,
    find: pickedFiles.find,
    onFault: (fault: unknown) => faults.push(fault),
  };
  const output = () =>
    Promise.resolve({ name: 'a.pdf', type: 'application/pdf', bytes: Uint8Array.of(1, 2) });
  const login = { read: () => ({ on: false, possible: true }), write() {} };
  const nativeBridge = openNativeBridge({
    window: () => window.window(),
    pickedFiles,
    output,
    login,
    texts: textsFor([]),
    baseUrl: 'http://127.0.0.1:1',
    logsFolder: folder,
    preferencesFile: join(folder, 'preferences.json'),
    firstKey: new FirstKeyFile(folder),
  });
  window = openConsoleWindow({
    session: openConsoleSession(resolve('test', 'fixtures', 'window')),
    icon: nativeImage.createEmpty(),
    languages: ['de-AT', 'en'],
    scale: 1,
    boundsFile: join(folder, 'window.json'),
    onCreated(contents) {
      windowsCreated += 1;
      loaded = whenLoaded(contents);
      openConsoleChannel(contents, {
        ...parts,
        console: { call, run: (each) => run(each), output },
        nativeBridge,
      });
    },
  });
});
after(async () => {
  window[Symbol.dispose]();
  await pickedFiles[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true });
});
beforeEach(() => {
  faults = [];
});

/** Resolves to the name of the calling account. Rejects the calls `refuse` and `break`. */
function call({ name, caller }: { readonly name: string; readonly caller: { readonly name: string } }) {
  if (name === 'refuse') return Promise.reject(new Failure('notFound', 'No such thing'));
  if (name === 'break') return Promise.reject(new TypeError('a path of the machine'));
  return Promise.resolve({ status: 'ready', caller: caller.name });
}

async function page(): Promise<BrowserWindow> {
  window.show('home');
  const shown = window.window();
  assert.ok(shown !== undefined);
  await loaded;
  if (!shown.isVisible()) await once(shown, 'show');
  return shown;
}

async function evaluate(code: string): Promise<unknown> {
  return (await page()).webContents.executeJavaScript(code) as Promise<unknown>;
}

/** Script that starts a run, collects the kinds of its events, and sets `window.last` to a promise of the last event. */
const startRunScript = `window.events = []; window.last = new Promise((resolve) => {
  window.cancel = platen.run({ fields: [['page_size', 'A5']], files: [] }, (event) => {
    window.events.push(event.kind);
    if (event.kind === 'converted' || event.kind === 'failed') resolve(event);
  });
});`;

describe('The console window', () => {
  test('is created once; closing it only hides it, keeps its page and saves its size', async () => {
    const shown = await page();
    await evaluate('window.mine = 1');
    shown.setSize(1000, 700);
    // The display server may change the size, and its first resize may be pending.
    while (shown.getBounds().width !== 1000) await once(shown, 'resize');
    shown.close();
    assert.deepEqual([shown.isDestroyed(), shown.isVisible()], [false, false]);
    assert.equal(await evaluate('window.mine'), 1);
    assert.deepEqual([windowsCreated, shown.isVisible()], [1, true]);
    assert.match(readFileSync(join(folder, 'window.json'), 'utf8'), /"width":1000,"height":700/);
  });

  test('cannot navigate, open windows or reach the network', async () => {
    const shown = await page();
    await evaluate(`location.href = 'https://a.example/'; 0`);
    await evaluate(`window.open('platen-console://app/'); 0`);
    assert.equal(
      await evaluate(`fetch('http://127.0.0.1:9/').then(() => 'reached', () => 'refused')`),
      'refused',
    );
    assert.equal(
      await evaluate(`fetch('platen://job/blank').then(() => 'reached', () => 'refused')`),
      'refused',
    );
    assert.equal(
      await evaluate(`typeof require + typeof process + typeof module`),
      'undefinedundefinedundefined',
    );
    assert.equal(shown.webContents.getURL(), 'platen-console://app/');
  });

  test('reloads and zooms by keyboard', async () => {
    const { webContents: contents } = await page();
    const press = (keyCode: string, ...modifiers: ('control' | 'meta')[]) => {
      contents.sendInputEvent({ type: 'keyDown', keyCode, modifiers });
    };
    const command = process.platform === 'darwin' ? 'meta' : 'control';
    press('=', command);
    loaded = whenLoaded(contents);
    press('F5');
    await loaded;
    assert.equal(contents.getZoomLevel(), 0.5);
    press('0', command);
  });

  test('is recreated the next time it is shown after its renderer crashed', async () => {
    const shown = await page();
    const closed = new Promise<void>((resolve) =>
      shown.once('closed', () => {
        resolve();
      }),
    );
    shown.webContents.forcefullyCrashRenderer();
    await closed;
    const before = windowsCreated;
    assert.equal(await evaluate('document.querySelector("h1").textContent'), 'A window');
    assert.equal(windowsCreated, before + 1);
  });
});

describe('The page in the console window', () => {
  test('calls the service with the tray account, and receives results and refusals', async () => {
    assert.deepEqual(await evaluate(`platen.call('state', {})`), {
      kind: 'answered',
      result: { status: 'ready', caller: 'tray' },
    });
    assert.deepEqual(await evaluate(`platen.call('refuse', {})`), {
      kind: 'refused',
      refusal: { status: 404, reason: 404, message: 'No such thing' },
    });
  });

  test('receives no details of internal errors; the service logs them', async () => {
    const answer = JSON.stringify(await evaluate(`platen.call('break', {})`));
    assert.match(answer, /"status":500/);
    assert.doesNotMatch(answer, /path of the machine/);
    assert.equal(faults.length, 1);
  });

  test('has the languages of the user', async () => {
    assert.deepEqual(await evaluate('platen.languages'), ['de-AT', 'en']);
  });

  test('receives all events of a run', async () => {
    run = async ({ account: { name }, receive, onEvent }) => {
      const { form } = await receive({ path: () => folder }, Infinity);
      onEvent({ kind: 'begun', job: `${name} ${JSON.stringify(form.fields)}` });
      onEvent({ kind: 'stage', stage: 'print' });
      onEvent({ kind: 'failed', job: null, took: 1, status: 400, reason: 302, message: 'no' });
    };
    const last = await evaluate(`${startRunScript} window.last`);
    assert.deepEqual(last, { kind: 'failed', job: null, took: 1, status: 400, reason: 302, message: 'no' });
    assert.deepEqual(await evaluate('window.events'), ['begun', 'stage', 'failed']);
  });

  test('receives the reason if a run cannot begin', async () => {
    run = () => Promise.reject(new Failure('unavailable', 'Paused by the operator.'));
    const last = (await evaluate(`${startRunScript} window.last`)) as {
      readonly kind: string;
      readonly message: string;
    };
    assert.deepEqual([last.kind, last.message], ['failed', 'Paused by the operator.']);
  });

  test('cancels a run on request, and when it is reloaded', async () => {
    for (const leave of ['cancel()', 'location.reload()']) {
      const events = new EventEmitter();
      const begun = once(events, 'begun');
      const cancelled = once(events, 'cancelled');
      run = async ({ signal }) => {
        events.emit('begun');
        await once(signal, 'abort');
        events.emit('cancelled');
      };
      await evaluate(`${startRunScript} 0`);
      await begun;
      const { webContents: contents } = await page();
      if (leave === 'location.reload()') loaded = whenLoaded(contents);
      await contents.executeJavaScript(`${leave}; 0`);
      await cancelled;
    }
  });

  test('receives the output of a run as bytes', async () => {
    assert.equal(
      await evaluate(`platen.output('x').then(({ result }) => result.type + ' ' + [...result.bytes])`),
      'application/pdf 1,2',
    );
  });

  test('is notified of changes to a picked file, and can read it', async () => {
    const file = join(folder, 'page.html');
    writeFileSync(file, 'before');
    const added = await pickedFiles.add(file);
    const id = added?.id ?? '';
    await evaluate(`platen.native('watch', { id: '${id}' }).then(() => {
      window.changed = new Promise((resolve) => platen.listen((event) => event.kind === 'changed' && resolve(event.id)));
    })`);
    writeFileSync(file, 'after');
    assert.equal(await evaluate('window.changed'), id);
    assert.deepEqual(await evaluate(`platen.native('read', { id: '${id}' })`), {
      kind: 'answered',
      result: { text: 'after' },
    });
  });

  test('cannot read a path that a script invents', async () => {
    assert.deepEqual(await evaluate(`platen.dropped(new File(['x'], '/etc/passwd'))`), {
      kind: 'answered',
      result: null,
    });
    const wrong = await evaluate(`platen.native('read', { id: '/etc/passwd' })`);
    assert.match(JSON.stringify(wrong), /is not valid/);
  });

  test('copies text, and opens only links of this service', async () => {
    await evaluate(`platen.native('copyText', { text: 'curl' })`);
    assert.equal(await clipboard.readText(), 'curl');
    for (const url of [
      'https://a.example/',
      'file:///etc/passwd',
      'http://127.0.0.1:12/',
      'http://127.0.0.1:1@a.example/',
    ])
      assert.match(
        JSON.stringify(await evaluate(`platen.native('openLink', { url: '${url}' })`)),
        /Only addresses of this/,
      );
  });

  test('receives the view to show as soon as it listens', async () => {
    window.window()?.destroy();
    window.show('about');
    assert.deepEqual(
      await evaluate(
        `new Promise((resolve) => { const poll = () => window.received?.length ? resolve(window.received) : setTimeout(poll, 10); poll(); })`,
      ),
      [{ kind: 'show', view: 'about' }],
    );
  });

  test('cannot be replaced with a page that has access to the service', async () => {
    const shown = await page();
    await shown.loadURL('data:text/html,another');
    const refused = `.then(() => 'answered', ({ message }) => message)`;
    for (const script of [`platen.call('state', {})`, `platen.output('x')`, `platen.native('loginItem', {})`])
      assert.match(
        String(await shown.webContents.executeJavaScript(script + refused)),
        /not the page of the console window/,
        script,
      );
    let began = false;
    run = () => {
      began = true;
      return Promise.resolve();
    };
    await shown.webContents.executeJavaScript(`${startRunScript} 0`);
    // If the page could start a run, it would begin before this reply.
    await shown.webContents.executeJavaScript(`platen.call('state', {})${refused}`);
    assert.equal(began, false);
    shown.destroy();
  });
});
