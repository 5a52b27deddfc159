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
import { hostileLog } from '../support/sample-debug-logs.ts';
import { completeLog } from '../support/complete-debug-log.ts';

const run = "document.documentElement.dataset.ran='1'";
const hostile = `</title></style><script>${run}</script>"><img src="http://127.0.0.1:1/a.png" onerror="${run}"><svg onload="${run}"><iframe srcdoc="<script>parent.${run}</script>"></iframe><link rel="stylesheet" href="http://127.0.0.1:1/a.css"><style>*{color:red}</style><base href="http://127.0.0.1:1/"><meta http-equiv="refresh" content="0;url=http://127.0.0.1:1/">\u202e`;

interface Seen {
  readonly ran: string | null;
  readonly scripts: number;
  readonly margin: string;
  readonly colour: string;
  readonly text: string;
}

/** Loads a page in a real window. Returns what it shows, its requests and its console messages. */
async function openInWindow(url: string): Promise<Seen & { requests: string[]; messages: string[] }> {
  await app.whenReady();
  const partition = `debug-log-page-${Math.random()}`;
  const window = new BrowserWindow({ show: false, webPreferences: { offscreen: true, partition } });
  const requests: string[] = [];
  const messages: string[] = [];
  window.webContents.session.webRequest.onBeforeRequest((details, answer) => {
    requests.push(details.url);
    answer({});
  });
  window.webContents.on('console-message', (_event, _level, message) => messages.push(message));
  try {
    // Sessions have no network access by default (main/app/process/hardening.ts).
    await window.webContents.session.setProxy({ mode: 'direct' });
    await window.loadURL(url);
    const seen = (await window.webContents.executeJavaScript(`({
      ran: document.documentElement.dataset.ran ?? null,
      scripts: document.querySelectorAll('script, iframe, link, base, svg[onload], [onerror]').length,
      margin: getComputedStyle(document.body).margin,
      colour: getComputedStyle(document.querySelector('h1')).color,
      text: document.body.innerText,
    })`)) as Seen;
    return { ...seen, requests: requests.filter((one) => !one.startsWith('data:')), messages };
  } finally {
    window.destroy();
  }
}

function assertHarmless(
  { requests, messages, ran, scripts, margin, colour, text }: Awaited<ReturnType<typeof openInWindow>>,
  url: string,
) {
  assert.deepEqual(requests, [url]);
  assert.deepEqual(messages, [], 'nothing was refused, because nothing was tried');
  assert.deepEqual([ran, scripts], [null, 0]);
  assert.equal(margin, '0px', 'its own style applies');
  assert.notEqual(colour, 'rgb(255, 0, 0)');
  assert.ok(text.includes(`<script>${run}</script>`), 'it is read as text');
}

test('the log page of a hostile document runs no scripts and sends no requests, over HTTP', async () => {
  const page = debugLogPage(hostileLog(hostile), { json: 'a.json', har: 'a.har' });
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
