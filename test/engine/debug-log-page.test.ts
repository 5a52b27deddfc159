import assert from 'node:assert/strict';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { test } from 'node:test';
import { app, BrowserWindow } from 'electron';
import { debugLogPage, logPagePolicy } from '../../main/log/log-page.ts';
import { hostileLog } from '../support/debug-log/sample-debug-logs.ts';
import { completeLog } from '../support/debug-log/complete-debug-log.ts';

const run = "document.documentElement.dataset.ran='1'";
const hostile = `</title></style><script>${run}</script>"><img src="http://127.0.0.1:1/a.png" onerror="${run}"><svg onload="${run}"><iframe srcdoc="<script>parent.${run}</script>"></iframe><link rel="stylesheet" href="http://127.0.0.1:1/a.css"><style>*{color:red}</style><base href="http://127.0.0.1:1/"><meta http-equiv="refresh" content="0;url=http://127.0.0.1:1/">\u202e`;

interface PageState {
  readonly ran: string | null;
  readonly scripts: number;
  readonly margin: string;
  readonly colour: string;
  readonly text: string;
}

/** Loads a page in a window. Returns its state, its requests and its console messages. */
async function openInWindow(url: string): Promise<PageState & { requests: string[]; messages: string[] }> {
  await app.whenReady();
  const partition = `debug-log-page-${Math.random()}`;
  const window = new BrowserWindow({
    show: false,
    webPreferences: { offscreen: { deviceScaleFactor: 1 }, partition },
  });
  const requests: string[] = [];
  const messages: string[] = [];
  window.webContents.session.webRequest.onBeforeRequest((details, answer) => {
    requests.push(details.url);
    answer({});
  });
  // Before Electron 35, the event has no message, and the listener gets it as a parameter.
  window.webContents.on('console-message', (event, _level, message?: string) =>
    messages.push((event as Partial<typeof event>).message ?? message ?? ''),
  );
  try {
    // Sessions have no network access by default (main/app/process/hardening.ts).
    await window.webContents.session.setProxy({ mode: 'direct' });
    await window.loadURL(url);
    const state = (await window.webContents.executeJavaScript(`({
      ran: document.documentElement.dataset.ran ?? null,
      scripts: document.querySelectorAll('script, iframe, link, base, svg[onload], [onerror]').length,
      margin: getComputedStyle(document.body).margin,
      colour: getComputedStyle(document.querySelector('h1')).color,
      text: document.body.innerText,
    })`)) as PageState;
    return { ...state, requests: requests.filter((request) => !request.startsWith('data:')), messages };
  } finally {
    window.destroy();
  }
}

function assertHarmless(
  { requests, messages, ran, scripts, margin, colour, text }: Awaited<ReturnType<typeof openInWindow>>,
  url: string,
) {
  assert.deepEqual(requests, [url]);
  assert.deepEqual(messages, [], 'the page tries nothing that its Content-Security-Policy blocks');
  assert.deepEqual([ran, scripts], [null, 0]);
  assert.equal(margin, '0px', 'the style sheet of the log page applies');
  assert.notEqual(colour, 'rgb(255, 0, 0)');
  assert.ok(text.includes(`<script>${run}</script>`), 'the script is shown as text');
}

test('the log page of a hostile document runs no scripts and sends no requests, over HTTP', async () => {
  const page = debugLogPage(hostileLog(hostile), { json: 'a.json', har: 'a.har', recipe: 'a.recipe.json' });
  const server = createServer((_request, response) => {
    response
      .writeHead(200, { 'content-type': 'text/html', 'content-security-policy': logPagePolicy() })
      .end(page);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/debug-log/a`;
    assertHarmless(await openInWindow(url), url);
  } finally {
    server.closeAllConnections();
    server.close();
  }
});

test('the saved log page of a hostile document runs no scripts and sends no requests', async () => {
  const path = join(mkdtempSync(join(tmpdir(), 'platen-page-')), 'log.html');
  writeFileSync(path, debugLogPage(hostileLog(hostile)));
  const url = pathToFileURL(path).href;
  assertHarmless(await openInWindow(url), url);
});

test('the CSP of the saved log page blocks a script that escaping has missed', async () => {
  const path = join(mkdtempSync(join(tmpdir(), 'platen-page-')), 'log.html');
  writeFileSync(path, debugLogPage(completeLog()).replace('<main>', `<main><script>${run}</script>`));
  const { ran, messages } = await openInWindow(pathToFileURL(path).href);
  assert.equal(ran, null);
  assert.match(messages.join(), /Refused to execute inline script/);
});
