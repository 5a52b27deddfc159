import assert from 'node:assert/strict';
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { BrowserWindow, clipboard, net, session as sessions, type WebContents } from 'electron';
import { loadPage } from '../../main/engine/loading/load-page.ts';
import type { EngineWindow } from '../../main/engine/window/engine-window.ts';
import { readHostPattern } from '../../main/network/policy.ts';
import { newRun, startEngine } from '../support/service/engine.ts';

/**
 * Capabilities that a page may request: the name, the script, and the only result that is harmless. Errors and timeouts are always
 * harmless.
 */
const permissions: readonly (readonly [capability: string, code: string, harmless?: string])[] = [
  ['the camera', 'navigator.mediaDevices.getUserMedia({ video: true })'],
  ['the microphone', 'navigator.mediaDevices.getUserMedia({ audio: true })'],
  ['the screen', 'navigator.mediaDevices.getDisplayMedia({ video: true })'],
  ['the location', 'new Promise((yes, no) => navigator.geolocation.getCurrentPosition(yes, no))'],
  ['notifications', 'Notification.requestPermission()', 'denied'],
  ['the clipboard', 'navigator.clipboard.readText()'],
  ['write access to the clipboard', 'navigator.clipboard.writeText("planted")'],
  ['USB', 'navigator.usb.requestDevice({ filters: [] })'],
  ['USB devices that were granted before', 'navigator.usb.getDevices().then(({ length }) => length)', '0'],
  ['a serial port', 'navigator.serial.requestPort()'],
  ['HID', 'navigator.hid.requestDevice({ filters: [] }).then(({ length }) => length)', '0'],
  ['Bluetooth', 'navigator.bluetooth.requestDevice({ acceptAllDevices: true })'],
  ['MIDI', 'navigator.requestMIDIAccess({ sysex: true })'],
  ['the full screen', 'document.documentElement.requestFullscreen().then(() => "full")'],
  ['the pointer', 'document.body.requestPointerLock().then(() => "locked")'],
  ['the keyboard', 'navigator.keyboard.lock().then(() => "locked")'],
  ['a wake lock', 'navigator.wakeLock.request("screen")'],
  ['idle detection', 'IdleDetector.requestPermission()', 'denied'],
  [
    'sensors',
    'new Promise((yes, no) => { const one = new Accelerometer(); one.onreading = yes; one.onerror = no; one.start(); })',
  ],
  ['the list of screens', 'getScreenDetails()'],
  ['installed fonts', 'queryLocalFonts().then(({ length }) => length)', '0'],
  [
    'a payment',
    'new PaymentRequest([{ supportedMethods: "https://a.example/pay" }], { total: { label: "a", amount: { currency: "EUR", value: "1" } } }).show()',
  ],
  ['a passkey', 'navigator.credentials.get({ publicKey: { challenge: new Uint8Array(16) } })'],
  ['a colour of the screen', 'new EyeDropper().open()'],
  ['persistent storage', 'navigator.storage.persist()', 'false'],
  // An open dialog would never resolve.
  ['a file dialog', "'showOpenFilePicker' in window", 'false'],
  ['a file', 'showOpenFilePicker()'],
  ['write access to a file', 'showSaveFilePicker()'],
  ['a folder', 'showDirectoryPicker()'],
  ['a window', 'window.open("about:blank")', 'null'],
  ['a picture-in-picture window', 'documentPictureInPicture.requestWindow()'],
  ['a webview', 'document.body.appendChild(document.createElement("webview")).contentWindow', 'undefined'],
  ['the result of a dialog', 'String([alert(1), confirm(1), prompt(1), print()])', ',false,,'],
  [
    'Node',
    'String([typeof require, typeof process, typeof module, typeof Buffer])',
    'undefined,undefined,undefined,undefined',
  ],
];

let web: Server;
let requested: string[] = [];

before(async () => {
  web = createServer((request, response) => {
    requested.push(request.url ?? '');
    const headers = {
      'content-type': 'text/html',
      ...(request.url === '/file' && { 'content-disposition': 'attachment; filename=a.html' }),
    };
    response.writeHead(200, headers).end('<title>asks</title><body>text');
  });
  await new Promise<void>((resolve) => web.listen(0, '127.0.0.1', resolve));
});

after(() => {
  web.closeAllConnections();
  web.close();
});

function address(path = '/'): string {
  return `http://127.0.0.1:${(web.address() as AddressInfo).port}${path}`;
}

/** Loads a page from loopback into a job's window. Such a page is a secure context, which has all interfaces. */
async function inPage<T>(use: (window: EngineWindow) => Promise<T>): Promise<T> {
  const allow = [readHostPattern('127.0.0.1')].filter((pattern) => pattern !== undefined);
  const network = { rules: { policy: 'intranet', allow, deny: [] } } as const;
  await using engine = await startEngine({ workers: 1, network });
  const source = { kind: 'remote', url: new URL(address()), scripts: true } as const;
  return await engine.withWindow(newRun(''), source, async (window, limited) => {
    await loadPage(window, source, limited);
    return await use(window);
  });
}

/** Evaluates the code with a user gesture, which many interfaces require. Returns the result or the error as text. */
async function evaluateWithGesture(contents: WebContents, code: string): Promise<string> {
  const attempt = `(async () => { try { return 'got ' + String(await (${code})); } catch (problem) { return 'refused: ' + (problem.message ?? problem); } })()`;
  const timeout = 'new Promise((resolve) => setTimeout(resolve, 1000, "no answer"))';
  return String(await contents.executeJavaScript(`Promise.race([${attempt}, ${timeout}])`, true));
}

test('a page gets none of the capabilities it requests, even with a user gesture', async () => {
  const got = await inPage(async ({ contents }) => {
    assert.equal(
      await evaluateWithGesture(contents, 'isSecureContext && navigator.userActivation.isActive'),
      'got true',
    );
    const answers: string[] = [];
    for (const [permission, code, harmless] of permissions) {
      const answer = await evaluateWithGesture(contents, code);
      if (answer.startsWith('got ') && answer !== `got ${harmless ?? ''}`)
        answers.push(`${permission}: ${answer}`);
    }
    return answers;
  });
  assert.deepEqual(got, []);
});

test('a page cannot write to the clipboard of the machine', async () => {
  await clipboard.writeText("somebody's own");
  await inPage(async ({ contents }) => {
    await evaluateWithGesture(
      contents,
      'getSelection().selectAllChildren(document.body), document.execCommand("copy")',
    );
    await contents.executeJavaScript(
      `getSelection().selectAllChildren(document.body); document.execCommand('cOPy'); document.execCommand('cut');
       const frame = document.body.appendChild(document.createElement('iframe'));
       RegExp.prototype.test = () => false; String.prototype.toLowerCase = () => 'bold';
       frame.contentWindow.Document.prototype.execCommand.call(document, 'copy')`,
    );
  });
  assert.equal(await clipboard.readText(), "somebody's own");
});

test('a click on a file input opens no dialog, and the page gets no event', async () => {
  const opened = await inPage(async ({ contents }) => {
    const chooser = new Promise((resolve) => {
      contents.debugger.on('message', (_event, method) => {
        if (method === 'Page.fileChooserOpened') resolve('kept from the desktop');
      });
    });
    await contents.executeJavaScript(
      `{ const field = document.createElement('input'); field.type = 'file'; field.click(); }`,
      true,
    );
    return await chooser;
  });
  assert.equal(opened, 'kept from the desktop');
});

test('a URL in a page starts no other program', async () => {
  // Chromium starts xdg-open on Linux; on other systems the test only sees prevented navigations.
  const folder = mkdtempSync(join(tmpdir(), 'platen-opener-'));
  const started = join(folder, 'started');
  writeFileSync(join(folder, 'xdg-open'), `#!/bin/sh\necho "$1" >> '${started}'\n`);
  chmodSync(join(folder, 'xdg-open'), 0o755);
  const path = process.env.PATH ?? '';
  process.env.PATH = folder + delimiter + path;
  try {
    const prevented: string[] = [];
    await inPage(async ({ contents }) => {
      contents.on('will-frame-navigate', ({ url, defaultPrevented }) => {
        if (defaultPrevented) prevented.push(url);
      });
      await contents.executeJavaScript(
        `for (const url of ['mailto:a@a.example', 'tel:1', 'ssh://a.example', 'ms-msdt:/id']) {
          const frame = document.createElement('iframe');
          frame.src = url;
          document.body.append(frame);
          window.open(url);
          const link = document.createElement('a');
          link.href = url;
          link.click();
        }`,
        true,
      );
      // All navigations are reported before these requests get their responses.
      for (let turn = 0; turn < 3; turn += 1) await contents.executeJavaScript('fetch("/").then(() => 0)');
    });
    assert.ok(prevented.length >= 4, `only ${prevented.join()} was tried`);
    assert.equal(existsSync(started), false);
  } finally {
    process.env.PATH = path;
    rmSync(folder, { recursive: true });
  }
});

// Chromium never frees the memory of a refused window.
test('of the windows that a document opens, only the first hundred with a name and three others reach the browser process', async () => {
  const names: string[] = [];
  const results = await inPage(async ({ contents }) => {
    contents.setWindowOpenHandler(({ frameName }) => {
      names.push(frameName);
      return { action: 'deny' };
    });
    const openMany = "Array.from({ length: 1000 }, (_, index) => open('about:blank', 'window' + index))";
    const openUnnamed =
      "[open(), open('about:blank'), open('about:blank', ''), open('/', '_blank', 'noopener')]";
    const inDocument = (await contents.executeJavaScript(
      `${openUnnamed}.concat(${openMany}).map(String)`,
    )) as string[];
    const inFrame = (await contents.executeJavaScript(
      `new Promise((resolve) => {
        const frame = document.createElement('iframe');
        frame.src = '/framed';
        frame.onload = () => {
          const { open } = frame.contentWindow;
          resolve(${openUnnamed}.concat(${openMany}).map(String));
        };
        document.body.append(frame);
      })`,
    )) as string[];
    return [...inDocument, ...inFrame];
  });
  const hundred = Array.from({ length: 100 }, (_, index) => `window${index}`);
  assert.deepEqual(names, ['', '', '', ...hundred, '', '', '', ...hundred]);
  assert.deepEqual([...new Set(results)], ['null']);
});

test('a page can show another page in a frame by its name', async () => {
  requested = [];
  await inPage(async ({ contents }) => {
    await contents.executeJavaScript(
      `new Promise((resolve) => {
        document.body.innerHTML = '<iframe name="part"></iframe>';
        document.querySelector('iframe').onload = resolve;
        open('/named', 'part');
      })`,
    );
  });
  assert.ok(requested.includes('/named'), requested.join());
});

test('a page cannot download files to the disk', async () => {
  requested = [];
  const downloads: string[] = [];
  await inPage(async ({ contents, context }) => {
    context.session.on('will-download', (event, item) => {
      downloads.push(`${new URL(item.getURL()).pathname} ${event.defaultPrevented ? 'prevented' : 'begun'}`);
    });
    const ended = new Promise((resolve) => context.session.once('will-download', resolve));
    await contents.executeJavaScript(
      `{ const link = document.createElement('a'); link.href = '/file'; link.download = 'a.html'; link.click(); }`,
      true,
    );
    await ended;
  });
  assert.deepEqual(downloads, ['/file prevented']);
  assert.ok(requested.includes('/file'));
});

test('sessions that belong to no job have no network access, and their pages cannot navigate', async () => {
  requested = [];
  await assert.rejects(net.fetch(address('/default')), /ERR_PROXY_CONNECTION_FAILED/);
  const session = sessions.fromPartition('of-nobody');
  // A new session gets its proxy after a moment; the engine waits for it (browser-context.ts).
  while ((await session.resolveProxy(address('/partition'))) === 'DIRECT') await pause(5);
  await assert.rejects(session.fetch(address('/partition')));
  const window = new BrowserWindow({ show: false });
  try {
    await window.loadURL('data:text/html,own');
    const tried = new Promise<boolean>((resolve) => {
      window.webContents.on('will-frame-navigate', (event) => {
        resolve(event.defaultPrevented);
      });
    });
    void window.webContents.executeJavaScript(`location.href = '${address('/left')}'; 0`);
    assert.equal(await tried, true);
    assert.equal(window.webContents.getURL(), 'data:text/html,own');
    assert.equal(
      await evaluateWithGesture(
        window.webContents,
        'navigator.permissions.query({ name: "geolocation" }).then(({ state }) => state)',
      ),
      'got denied',
    );
  } finally {
    window.destroy();
  }
  assert.deepEqual(requested, []);
});
