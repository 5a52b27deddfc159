/** Pending work of a page. With default options, the service waits for each kind of work, up to a limit. */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { convert, send, type Fields } from '../../support/service/convert.ts';
import { readDebugLog } from '../../support/debug-log/debug-log.ts';
import { pdfText } from '../../support/output/pdf.ts';
import { isNear, readImage } from '../../support/output/image.ts';
import type { Service } from '../../support/service/service.ts';
import { defaultService } from '../../support/service/default-service.ts';
import { serveWeb, type Routes } from '../../support/servers/web-server.ts';
import { acceptWebSocket, sendText } from '../../support/servers/web-socket.ts';

let service: Service;
before(async () => {
  service = await defaultService();
});

async function textOfSite(page: string, routes: Routes = {}, options: Fields = {}): Promise<string> {
  await using web = await serveWeb({ '/': page, ...routes });
  return pdfText(await convert(service, { url: web.url, ...options }));
}

const script = (code: string) => `<p id="p">early</p><script>${code}</script>`;
const set = (value: string) => `p.textContent = ${value}`;
const done = set('"done"');

/** Returns code that creates the worker `w`. */
const worker = (code: string) =>
  `const w = new Worker(URL.createObjectURL(new Blob([${JSON.stringify(code)}])));`;

function later(body: string, milliseconds: number): Routes[string] {
  return (_request, response) => setTimeout(() => response.end(body), milliseconds);
}

describe('a page is converted when the browser has', () => {
  const pages: Readonly<Record<string, string>> = {
    'read and written its database': `const open = indexedDB.open('d', 1); open.onupgradeneeded = () => open.result.createObjectStore('s');
      open.onsuccess = () => { const put = open.result.transaction('s', 'readwrite').objectStore('s'); put.put('done', 1);
      put.get(1).onsuccess = ({ target }) => { ${set('target.result')} } }`,
    'derived a key': `crypto.subtle.importKey('raw', new Uint8Array(8), 'PBKDF2', false, ['deriveBits']).then((key) =>
      crypto.subtle.deriveBits({ name: 'PBKDF2', hash: 'SHA-512', salt: new Uint8Array(8), iterations: 400000 }, key, 256))
      .then(() => { ${done} })`,
    'read a large file': `const reader = new FileReader(); reader.onload = () => { ${done} };
      reader.readAsDataURL(new Blob([new Uint8Array(30_000_000)]))`,
    'encoded an image': `const c = document.createElement('canvas'); c.width = c.height = 2000; const x = c.getContext('2d');
      for (let n = 0; n < 2000; n++) { x.fillStyle = '#' + (n * 99991 % 4096).toString(16).padStart(3, 0); x.fillRect(n * 37 % 2000, n * 91 % 2000, 90, 90) }
      c.toBlob(async (blob) => { const { width } = await createImageBitmap(blob); ${set('width === 2000 ? "done" : width')} })`,
    'used its cache': `caches.open('c').then((c) => c.put('/x', new Response('done')).then(() => c.match('/x'))).then((r) => r.text())
      .then((t) => { ${set('t')} })`,
    'read the origin-private file system': `(async () => { const folder = await navigator.storage.getDirectory();
      for (let n = 0; n < 20; n++) { const file = await folder.getFileHandle('f' + n, { create: true }); const writer = await file.createWritable();
      await writer.write('x'.repeat(99_000)); await writer.close() } let count = 0; for await (const name of folder.keys()) count++;
      const file = await folder.getFileHandle('f7'); await (await file.getFile()).text(); ${set('count === 20 ? "done" : count')} })()`,
    'decoded and rendered audio': `const samples = 44_100 * 20, wave = new DataView(new ArrayBuffer(44 + samples * 2));
      [0x52494646, 0, 0x57415645, 0x666d7420, 0x10000000, 0x01000100, 0x44ac0000, 0x88580100, 0x02001000, 0x64617461].forEach((word, n) => wave.setUint32(n * 4, word));
      wave.setUint32(4, 36 + samples * 2, true); wave.setUint32(40, samples * 2, true); const audio = new OfflineAudioContext(1, 44_100 * 9, 44_100);
      audio.decodeAudioData(wave.buffer).then(async ({ length }) => { const rendered = await audio.startRendering(); ${set('length === samples ? "done" : length')} })`,
    'loaded an audio worklet': `new OfflineAudioContext(1, 9, 44_100).audioWorklet.addModule('data:text/javascript,1').then(() => { ${done} })`,
    'answered about devices and permissions': `(async () => { await navigator.mediaDevices.enumerateDevices();
      for (let n = 0; n < 40; n++) await navigator.permissions.query({ name: 'geolocation' }); ${done} })()`,
    'granted locks, although one is held forever': `(async () => { navigator.locks.request('forever', () => new Promise(() => {}));
      for (let n = 0; n < 40; n++) await navigator.locks.request('lock', async () => {}); ${done} })()`,
    'decoded an image by its parts': `(async () => { const canvas = new OffscreenCanvas(2000, 2000); canvas.getContext('2d').fillRect(0, 0, 9, 9);
      const decoder = new ImageDecoder({ data: await (await canvas.convertToBlob()).arrayBuffer(), type: 'image/png' }); await decoder.tracks.ready;
      const { image } = await decoder.decode(); ${set('image.codedWidth === 2000 ? "done" : image.codedWidth')} })()`,
    'received all messages of a worker': `${worker(
      `onmessage = () => { let n = 0; const i = setInterval(() => { postMessage(++n); if (n === 5) clearInterval(i) }, 100) }`,
    )} w.onmessage = ({ data }) => { ${set("data === 5 ? 'done' : data")} }; w.postMessage(1)`,
    'received the result of a worker that computes for a long time': `${worker(
      `onmessage = () => { const t = Date.now(); while (Date.now() - t < 1500); postMessage('done') }`,
    )} w.onmessage = ({ data }) => { ${set('data')} }; w.postMessage(1)`,
    'received the result of a worker that was ready before it got its task': `${worker(
      `onmessage = () => { const t = Date.now(); while (Date.now() - t < 1200); postMessage('done') }; postMessage('ready')`,
    )} w.onmessage = ({ data }) => { ${set('data')}; if (data === 'ready') w.postMessage(1) }`,
    'received progress and the result of a worker': `${worker(
      `onmessage = () => { postMessage('Computing 0 %'); const t = Date.now(); while (Date.now() - t < 1400); postMessage('done') }`,
    )} w.onmessage = ({ data }) => { ${set('data')} }; w.postMessage(1)`,
    'received the result of a worker that reported progress long before': `${worker(
      `onmessage = () => { postMessage({ status: 'progress', progress: 0.1 }); const t = Date.now(); while (Date.now() - t < 1400); postMessage({ status: 'done' }) }`,
    )} w.onmessage = ({ data }) => { if (data.status === 'done') { ${set('data.status')} } }; w.postMessage(1)`,
    'received a reply over the port that a worker sent': `${worker(
      `onmessage = () => { const { port1, port2 } = new MessageChannel(); port1.onmessage = () => setTimeout(() => port1.postMessage('done'), 700);
      postMessage(0, [port2]) }`,
    )} w.onmessage = ({ ports: [port] }) => { port.onmessage = ({ data }) => { ${set('data')} }; port.postMessage(1) }; w.postMessage(1)`,
    'received a reply over the port that it sent to a worker': `${worker(
      `onmessage = ({ ports: [port] }) => { port.postMessage('got it'); setTimeout(() => port.postMessage('done'), 200) }`,
    )} const { port1, port2 } = new MessageChannel(); port1.onmessage = ({ data }) => { ${set('data')} }; w.postMessage(1, { transfer: [port2] })`,
    'received the result of a worker that computes after it is ready': `${worker(
      `postMessage('ready'); const t = Date.now(); while (Date.now() - t < 800); postMessage('done')`,
    )} w.onmessage = ({ data }) => { if (data !== 'ready') { ${set('data')} } }`,
    'received the message that a worker sends with its last timer': `${worker(
      `debugger; let n = 0; const step = () => { n += 1; if (n < 3) setTimeout(step, 700); else postMessage('done') }; step()`,
    )} w.onmessage = ({ data }) => { ${set('data')} }`,
    'received the result that a worker computes with promises of the browser': `${worker(
      `postMessage('ready'); const salt = new Uint8Array(8), hash = 'SHA-512'; crypto.subtle.importKey('raw', salt, 'PBKDF2', false, ['deriveBits'])
       .then((key) => crypto.subtle.deriveBits({ name: 'PBKDF2', hash, salt, iterations: 900000 }, key, 256)).then(() => postMessage('done'))`,
    )} w.onmessage = ({ data }) => { if (data !== 'ready') { ${set('data')} } }`,
    'received the message of a worker inside a worker': `${worker(
      `const inner = "setTimeout(() => postMessage('done'), 900)"; const n = new Worker(URL.createObjectURL(new Blob([inner])));
       n.onmessage = ({ data }) => postMessage(data); postMessage('ready')`,
    )} w.onmessage = ({ data }) => { if (data !== 'ready') { ${set('data')} } }`,
    'received the replies of many workers': `const url = URL.createObjectURL(new Blob(['setTimeout(() => postMessage(1), 300)']));
      let count = 0; for (let n = 0; n < 40; n++) new Worker(url).onmessage = () => { ${set('++count === 40 ? "done" : count')} }`,
    'received the reply of a shared worker': `const code = 'onconnect = ({ ports: [port] }) => { port.onmessage = () => setTimeout(() => port.postMessage("done"), 900) }';
      const { port } = new SharedWorker(URL.createObjectURL(new Blob([code]))); port.onmessage = ({ data }) => { ${set('data')} }; port.postMessage(1)`,
    'computed for more than a second': `setTimeout(() => { const t = performance.now(); while (performance.now() - t < 1200); setTimeout(() => { ${done} }, 500) }, 100)`,
  };
  for (const [what, code] of Object.entries(pages))
    test(what, async () => {
      assert.equal(await textOfSite(script(code)), 'done');
    });
});

test('a page shows what its worker requests, with and without a debug log', async () => {
  const code = `postMessage('ready'); fetch('/data').then((r) => r.text()).then((text) => postMessage(text))`;
  const routes: Routes = {
    '/worker.js': (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/javascript' }).end(code);
    },
    '/data': later('done', 1200),
  };
  const page = script(
    `new Worker('/worker.js').onmessage = ({ data }) => { if (data !== 'ready') { ${set('data')} } }`,
  );
  for (const debug_log of [false, true, false])
    assert.equal(await textOfSite(page, routes, { debug_log }), 'done');
});

describe('the service waits for requests', () => {
  const show = (expression: string) => `${expression}.then((r) => r.text()).then((t) => { ${set('t')} })`;

  test('that take more than a second, on a page that looks complete', async () => {
    assert.equal(
      await textOfSite(script(show(`fetch('/total')`)), { '/total': later('done', 1300) }),
      'done',
    );
  });

  test('whose URLs contain words that are typical of long polling', async () => {
    assert.equal(
      await textOfSite(script(show(`fetch('/events')`)), { '/events': later('done', 300) }),
      'done',
    );
  });

  test('whose URLs contain words that also name ordinary data', async () => {
    const routes = { '/api/events': later('done', 1100), '/api/notifications': later('/api/events', 1000) };
    const page = script(
      `fetch('/api/notifications').then((r) => r.text()).then((next) => ${show('fetch(next)')})`,
    );
    assert.equal(await textOfSite(page, routes), 'done');
  });

  test('for one page of data after another, with pauses', async () => {
    const page =
      script(`const load = async (n) => { const r = await fetch('/items?page=' + n); p.textContent = await r.text();
      if (n < 9) setTimeout(load, 250, n + 1) }; load(1)`);
    const items: Routes[string] = ({ url = '' }, response) =>
      setTimeout(() => response.end(url.endsWith('=9') ? 'done' : url), 60);
    assert.equal(await textOfSite(page, { '/items': items }), 'done');
  });

  test('that follow one another with different bodies or URLs', async () => {
    const chain = (ask: string) =>
      script(`(async () => { for (let n = 1; n <= 8; n++) p.textContent = await (await ${ask}).text() })()`);
    const form = `(() => { const f = new FormData(); f.set('n', n); return f })()`;
    for (const ask of [
      `fetch('/post', { method: 'POST', body: new URLSearchParams({ n }) })`,
      `fetch('/post', { method: 'POST', body: ${form} })`,
      `fetch(new Request('/post', { method: 'POST', body: String(n) }))`,
      `fetch('/post?t=' + n)`,
      `fetch('/post?id=' + (9000000000 + n))`,
    ]) {
      let count = 0;
      const post: Routes[string] = (_request, response) => {
        count += 1;
        setTimeout(() => response.end(`answer ${count}`), 150);
      };
      assert.equal(await textOfSite(chain(ask), { '/post': post }), 'answer 8', ask);
    }
  });

  test('that are repeated because the server is not ready', async () => {
    let requests = 0;
    const flaky: Routes[string] = (_request, response) => {
      requests += 1;
      response.writeHead(requests < 5 ? 503 : 200).end('done');
    };
    const page =
      script(`const ask = async (n) => { const r = await fetch('/flaky'); if (r.ok) { p.textContent = await r.text() }
      else setTimeout(ask, 2 ** n * 50, n + 1) }; ask(1)`);
    assert.equal(await textOfSite(page, { '/flaky': flaky }), 'done');
  });

  test('that XMLHttpRequest repeats because the connection broke', async () => {
    let requests = 0;
    const breaking: Routes[string] = (request, response) => {
      requests += 1;
      if (requests < 6) request.socket.destroy();
      else response.end('done');
    };
    const page = script(`const ask = () => { const r = new XMLHttpRequest(); r.open('POST', '/breaking');
      r.onload = () => { ${set('r.responseText')} }; r.onerror = () => setTimeout(ask, 300); r.send('x') }; ask()`);
    assert.equal(await textOfSite(page, { '/breaking': breaking }), 'done');
  });

  describe('whose responses are read in chunks', () => {
    const stream: Routes[string] = (_request, response) => {
      let n = 0;
      const timer = setInterval(() => {
        n += 1;
        response.write(String(n));
        if (n < 6) return;
        clearInterval(timer);
        response.end();
      }, 150);
    };
    const ways: Readonly<Record<string, string>> = {
      'by a reader': `const reader = body.getReader(); for (let r; !(r = await reader.read()).done;) add(r.value)`,
      'by a reader into its own buffer': `const reader = new Response(body).body.getReader({ mode: 'byob' });
        for (let r; !(r = await reader.read(new Uint8Array(9))).done;) add(r.value)`,
      'by for await': `for await (const chunk of body) add(chunk)`,
      'by for await after a transform': `for await (const text of body.pipeThrough(new TextDecoderStream())) p.append(text)`,
      'by a pipe': `await body.pipeTo(new WritableStream({ write: add })); p.append('!')`,
      'by a pipe after a transform': `body.pipeThrough(new TextDecoderStream()).pipeTo(new WritableStream({ write: (text) => p.append(text), close: () => p.append('!') }))`,
    };
    for (const [how, code] of Object.entries(ways))
      test(how, async () => {
        const page = script(`const add = (chunk) => p.append(new TextDecoder().decode(chunk));
          fetch('/stream').then(async ({ body }) => { p.textContent = ''; ${code} })`);
        assert.match(await textOfSite(page, { '/stream': stream }), /^123456!?$/);
      });
  });

  test('for modules that scripts import; until they arrive, no timeout of the page fires', async () => {
    const module: Routes[string] = (_request, response) =>
      setTimeout(() => response.writeHead(200, { 'content-type': 'text/javascript' }).end(done), 300);
    const page = script(`setTimeout(() => { if (p.textContent === 'early') p.textContent = 'gave up' }, 3000);
      setTimeout(() => import('/module.js'), 50)`);
    assert.equal(await textOfSite(page, { '/module.js': module }), 'done');
  });

  test('for modules that are imported one after another', async () => {
    const busy = 'for (const end = performance.now() + 5; performance.now() < end; );';
    const module: Routes[string] = (_request, response) =>
      response.writeHead(200, { 'content-type': 'text/javascript' }).end(busy);
    const page = `<p id="p">early</p><script type="module">
      for (let n = 0; n < 30; n++) { await import('/module.js?n=' + n); ${busy} }; ${done}</script>`;
    const texts = await Promise.all(
      Array.from({ length: 3 }, () => textOfSite(page, { '/module.js': module })),
    );
    assert.deepEqual(
      texts,
      Array.from({ length: 3 }, () => 'done'),
    );
  });

  test('within a limit, and the abort timeout of a pending request does not fire early', async () => {
    // The timeout is within the page time that is played, but comes long after the real time for which the request is awaited.
    const page = script(
      `${done}; const signal = AbortSignal.timeout(15_000);
      for (const end = performance.now() + 50; performance.now() < end;);
      fetch('/never?token=abc123', { signal }).catch(() => { p.textContent = 'timed out' })`,
    );
    await using web = await serveWeb({ '/': page, '/never': () => {} });
    const answer = await send(service, { url: web.url, settle_limit: 20_000, debug_log: true });
    assert.equal(pdfText(answer.body), 'done');
    assert.equal(answer.headers.get('x-service-note-codes'), 'endless-activity,late-resources');
    const { text } = await readDebugLog(answer);
    assert.match(text, /a request without a response \(\S+\/never\?token=/);
    assert.doesNotMatch(text, /abc123/);
  });

  test('that a meta refresh sends, and converts the other page', async () => {
    const refresh = '<meta http-equiv="refresh" content="1; url=/there"><p>moved<script>1</script>';
    assert.equal(await textOfSite(refresh, { '/there': '<p>there' }), 'there');
  });
});

describe('animations are converted in their final state:', () => {
  const red = [255, 0, 0] as const;
  const middleOf = async (text: string) => {
    const image = await readImage(await convert(service, { text, output_format: 'png' }));
    return image.at(50, 50);
  };

  test('an SVG that declares an animation', async () => {
    const grow = '<animate attributeName="width" from="0" to="100" begin="1s" dur="2s" fill="freeze"/>';
    const text = `<body style="margin:0"><svg width="100" height="100"><rect width="0" height="100" fill="red">${grow}</rect></svg><script>1</script>`;
    assert.ok(isNear(await middleOf(text), red));
  });

  test('a fade-in in a declarative shadow tree', async () => {
    const style =
      '<style>@keyframes in { from { opacity: 0 } } div { height: 100px; background: red; animation: in 2s both }</style>';
    const text = `<body style="margin:0"><section><template shadowrootmode="open">${style}<div></div></template></section><script>1</script>`;
    assert.ok(isNear(await middleOf(text), red));
  });

  test('a transition that would end after the settle limit', async () => {
    const style =
      '<style>body { margin: 0 } div { height: 100px; background: red; opacity: 0; transition: opacity 1s } .in { opacity: 1 }</style>';
    const text = `${style}<div id="d"></div><script>setTimeout(() => { d.className = 'in' }, 4700)</script>`;
    assert.ok(isNear(await middleOf(text), red));
  });
});

describe('a page that the service has scrolled to load its content', () => {
  const screens = '<div style="height: 100vh"></div>'.repeat(6);

  test('shows elements that move on scrolling as at the top', async () => {
    const text = `<style>body { margin: 0 }</style>${screens}<p id="p" style="position: absolute; top: 300vh">parallax</p>
      <script>addEventListener('scroll', () => { p.style.transform = 'translateY(' + scrollY / 2 + 'px)' })</script>`;
    const waited = await readImage(
      await convert(service, { text, output_format: 'png', javascript_delay: 100 }),
    );
    const settled = await readImage(await convert(service, { text, output_format: 'png' }));
    const textRow = (image: typeof waited) =>
      Array.from({ length: image.height }, (_, y) => y).find((y) =>
        Array.from({ length: 60 }, (_unused, x) => x).some((x) => image.at(x, y)[0] < 100),
      );
    assert.equal(textRow(settled), textRow(waited));
  });

  test('does not show an overlay that appears only on scrolling', async () => {
    const text = `<p>page</p>${screens}<div id="d" style="position: fixed; top: 0; display: none">newsletter</div>
      <script>addEventListener('scroll', () => { if (scrollY > 600) d.style.display = 'block' })</script>`;
    assert.equal(pdfText(await convert(service, { text })).trim(), 'page');
  });

  test('has the first section marked in its table of contents', async () => {
    const text = `<nav id="n"></nav>${[1, 2, 3, 4].map((n) => `<section id="s${n}" style="height: 100vh"></section>`).join('')}
      <script>const o = new IntersectionObserver((entries) => { for (const { isIntersecting, target } of entries)
        if (isIntersecting) n.textContent = target.id }, { rootMargin: '0px 0px -25%' });
        document.querySelectorAll('section').forEach((s) => o.observe(s))</script>`;
    assert.equal(pdfText(await convert(service, { text })).trim(), 's1');
  });
});

describe('the content of a frame is awaited', () => {
  const frames: Readonly<Record<string, string>> = {
    'whose window its page has used before it loaded': `f.contentWindow.postMessage('hello', '*')`,
    'whose document its page has used before it loaded': 'f.contentDocument.title',
    'that its page has added later': '',
  };
  for (const [which, code] of Object.entries(frames))
    test(which, async () => {
      const page = `<script>const add = () => { const f = document.body.appendChild(document.createElement('iframe')); f.src = '/frame'; ${code} };
        ${code === '' ? `fetch('/data').then(add)` : `addEventListener('DOMContentLoaded', add)`}</script><body>`;
      const frame = script(
        `setTimeout(() => fetch('/data').then((r) => r.text()).then((t) => { ${set('t')} }), 500)`,
      );
      const routes = { '/frame': later(frame, 200), '/data': later('done', 200) };
      assert.equal(await textOfSite(page, routes), 'done');
    });
});

test('a page shows the reply to what it sent through a WebSocket, not that it did not arrive in time', async () => {
  await using web = await serveWeb({
    '/': script(`const socket = new WebSocket('ws://' + location.host + '/socket'); socket.onopen = () => socket.send('ask');
      const timeout = setTimeout(() => { p.textContent = 'no reply' }, 3000);
      socket.onmessage = ({ data }) => { clearTimeout(timeout); p.textContent = data }`),
  });
  web.onUpgrade((request, socket) => {
    acceptWebSocket(request, socket);
    socket.once('data', () =>
      setTimeout(() => {
        sendText(socket, 'done');
      }, 400),
    );
  });
  assert.equal(pdfText(await convert(service, { url: web.url })), 'done');
});
