/** Uploaded documents have the interfaces of https pages, and still load from plain http. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import type { Engine } from '../../main/engine/engine.ts';
import { loadPage } from '../../main/engine/loading/load-page.ts';
import type { Files, Source } from '../../main/input/source.ts';
import { readHostPattern } from '../../main/network/policy.ts';
import { newRun, startEngine } from '../support/service/engine.ts';
import { serveWeb, type Routes, type WebServer } from '../support/servers/web-server.ts';

const files: Readonly<Record<string, readonly [type: string, text: string]>> = {
  'worker.js': ['text/javascript', 'postMessage(isSecureContext)'],
  'service-worker.js': ['text/javascript', 'oninstall = () => skipWaiting()'],
  'worklet.js': ['text/javascript', '1'],
};

const filesBeside: Files = (path) => {
  const [contentType, text] = files[path] ?? [];
  if (contentType === undefined || text === undefined) return Promise.resolve(undefined);
  return Promise.resolve({ contentType, size: text.length, body: Buffer.from(text) });
};

/** Scripts that use the interfaces of secure contexts, as bodies of async functions, with their expected results. */
const secureWork: Readonly<Record<string, readonly [body: string, expected: unknown]>> = {
  'a secure context': ['return isSecureContext', true],
  'crypto.subtle': ["return (await crypto.subtle.digest('SHA-256', new Uint8Array(1))).byteLength", 32],
  'crypto.randomUUID': ['return crypto.randomUUID().length', 36],
  'a cache': [
    "const c = await caches.open('c'); await c.put('https://a.example/', new Response('kept')); return (await c.match('https://a.example/')).text()",
    'kept',
  ],
  'a private file system': ['return (await navigator.storage.getDirectory()).kind', 'directory'],
  'a lock': ["return navigator.locks.request('l', () => 'held')", 'held'],
  'document.cookie': [
    "document.cookie = 'a=1; path=/'; document.cookie = 'b=2; max-age=60'; document.cookie = 'a=3'; document.cookie = 'b=; expires=Thu, 01 Jan 1970 00:00:00 GMT'; document.cookie = 'c=4; Max-Age=0'; return document.cookie",
    'a=3',
  ],
  'local storage': ["localStorage.a = 'kept'; return localStorage.a", 'kept'],
  'a database': [
    "return new Promise((resolve) => { const opening = indexedDB.open('d'); opening.onsuccess = () => resolve(opening.result.name) })",
    'd',
  ],
};

/** Scripts that use such interfaces with sibling files of the document, with their expected results. */
const withFiles: typeof secureWork = {
  'a worker': [
    "return new Promise((resolve) => { new Worker('worker.js').onmessage = ({ data }) => resolve(data) })",
    true,
  ],
  'a service worker': [
    "await navigator.serviceWorker.register('service-worker.js'); return (await navigator.serviceWorker.ready).active !== null",
    true,
  ],
  'a worklet': [
    "await new OfflineAudioContext(1, 1, 8000).audioWorklet.addModule('worklet.js'); return 'added'",
    'added',
  ],
};

const pixel = Buffer.from('R0lGODlhAQABAIAAAP8AAP///ywAAAAAAQABAAACAkQBADs=', 'base64');

const font = 'node_modules/pdfjs-dist/standard_fonts/LiberationSans-Regular.ttf';

const send =
  (type: string, body: string | Buffer): Routes[string] =>
  (_request, response) =>
    response.writeHead(200, { 'content-type': type, 'access-control-allow-origin': '*' }).end(body);

const routes: Routes = {
  '/image.gif': send('image/gif', pixel),
  '/font.ttf': send('font/ttf', readFileSync(font)),
  '/script.js': send('text/javascript', 'globalThis.scripted = "script"'),
  '/module.js': send('text/javascript', 'export default "module"'),
  '/style.css': send('text/css', 'p { color: rgb(1, 2, 3) }'),
  '/data.json': send('application/json', 'data'),
  '/frame': '<script>parent.postMessage("frame", "*")</script>',
};

/** Scripts that load resources from plain http, with their expected results. */
const insecureLoads = (base: string): typeof secureWork => ({
  'an image': [
    `const image = new Image(); image.src = '${base}/image.gif'; await image.decode(); return image.naturalWidth`,
    1,
  ],
  'a style sheet': [
    `const link = document.createElement('link'); link.rel = 'stylesheet'; link.href = '${base}/style.css'; await new Promise((onload) => document.head.append(Object.assign(link, { onload }))); return getComputedStyle(document.querySelector('p')).color`,
    'rgb(1, 2, 3)',
  ],
  'a script': [
    `const script = document.createElement('script'); script.src = '${base}/script.js'; await new Promise((onload) => document.head.append(Object.assign(script, { onload }))); return scripted`,
    'script',
  ],
  'a module': [`return (await import('${base}/module.js')).default`, 'module'],
  'a font': [`return (await new FontFace('f', 'url(${base}/font.ttf)').load()).status`, 'loaded'],
  'a frame': [
    `const frame = document.createElement('iframe'); frame.src = '${base}/frame'; const said = new Promise((resolve) => addEventListener('message', ({ data }) => resolve(data))); document.body.append(frame); return said`,
    'frame',
  ],
  fetch: [`return (await fetch('${base}/data.json')).text()`, 'data'],
  XMLHttpRequest: [
    `const x = new XMLHttpRequest(); x.open('GET', '${base}/data.json'); await new Promise((resolve) => { x.onloadend = resolve; x.send() }); return x.responseText`,
    'data',
  ],
  'fetch of a worker': [
    `const code = URL.createObjectURL(new Blob(['fetch("${base}/data.json").then((answer) => answer.text()).then(postMessage)'])); return new Promise((resolve) => { new Worker(code).onmessage = ({ data }) => resolve(data) })`,
    'data',
  ],
});

describe('An uploaded document', () => {
  let engine: Engine;
  let web: WebServer;
  before(async () => {
    web = await serveWeb(routes);
    const allow = ['site.example'].map(readHostPattern).filter((pattern) => pattern !== undefined);
    // The host name must not be a loopback name, because Chromium treats those as secure.
    const resolve = () => Promise.resolve([{ address: '127.0.0.1', family: 4 }]);
    const network = { rules: { policy: 'intranet' as const, allow, deny: [] }, resolve };
    engine = await startEngine({ workers: 1, network });
  });
  after(async () => {
    await engine[Symbol.asyncDispose]();
    await web[Symbol.asyncDispose]();
  });

  async function inDocument(body: string, siblingFiles?: Files): Promise<unknown> {
    const source: Source = {
      kind: 'document',
      path: 'index.html',
      contentType: 'text/html',
      scripts: true,
      bytes: Buffer.from('<p>text<script></script>'),
      ...(siblingFiles && { files: siblingFiles }),
    };
    return await engine.withWindow(newRun(''), source, async (window, limited) => {
      await loadPage(window, source, limited);
      const code = `(async () => { ${body} })().catch(String)`;
      return (await window.contents.executeJavaScript(code)) as unknown;
    });
  }

  for (const [what, [body, expected]] of Object.entries(secureWork))
    test(`has ${what}, alone or in an archive`, async () => {
      assert.equal(await inDocument(body), expected);
      assert.equal(await inDocument(body, filesBeside), expected);
    });

  for (const [what, [body, expected]] of Object.entries(withFiles))
    test(`can use a sibling file as ${what}`, async () => {
      assert.equal(await inDocument(body, filesBeside), expected);
    });

  test('loads everything from plain http', async () => {
    for (const [what, [body, expected]] of Object.entries(insecureLoads(`http://site.example:${web.port}`)))
      assert.equal(await inDocument(body), expected, what);
    // The request does not contain the address of the document.
    assert.equal(web.headersOf('/image.gif')?.referer, undefined);
  });

  test('cannot register a service worker outside its own folder', async () => {
    const result = await inDocument(
      "await navigator.serviceWorker.register('/service-worker.js')",
      filesBeside,
    );
    assert.match(String(result), /404/);
  });

  test('leaves no cookie, service worker or cache for the next document', async () => {
    const leave =
      "document.cookie = 'left=1'; await caches.open('left'); await navigator.serviceWorker.register('service-worker.js');";
    assert.equal(await inDocument(`${leave} return 'left'`, filesBeside), 'left');
    const script =
      'return [document.cookie, (await navigator.serviceWorker.getRegistrations()).length, await caches.keys()]';
    assert.deepEqual(await inDocument(script, filesBeside), ['', 0, []]);
  });
});
