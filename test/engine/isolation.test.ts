import assert from 'node:assert/strict';
import { renameSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { defaultLimits } from '../../main/input/archive/limits.ts';
import { prepareSource } from '../../main/input/prepare-source.ts';
import { loadPage } from '../../main/engine/loading/load-page.ts';
import { newRun, startEngine } from '../support/service/engine.ts';
import { readHostPattern } from '../../main/network/policy.ts';

const plant = `<script>
  localStorage.mark = 'planted'; sessionStorage.mark = 'planted'; window.name = 'planted'; document.cookie = 'mark=planted';
  indexedDB.open('planted');
  caches?.open?.('planted');
  history.pushState({}, '', '#planted');
  addEventListener('pagehide', () => { localStorage.late = 'planted'; sessionStorage.late = 'planted'; window.name = 'late' });
  setInterval(() => { try { localStorage.timer = 'planted' } catch {} }, 1);
</script>`;

const stateScript = `<script>
  (async () => {
    const databases = (await indexedDB.databases()).map(({ name }) => name);
    document.title = JSON.stringify({ local: Object.keys(localStorage), session: Object.keys(sessionStorage), name: window.name, cookie: document.cookie, databases, history: history.length });
  })();
</script>`;

test('a page cannot see the state that the previous page left in the window', async () => {
  await using engine = await startEngine({ workers: 1 });
  const load = async (html: string) => {
    const run = newRun(html, { javascript_delay: 100 });
    const source = await prepareSource(run, defaultLimits);
    return engine.withWindow(run, source, async (window, limited) => {
      await loadPage(window, source, limited);
      return { title: window.contents.getTitle(), id: window.contents.id };
    });
  };
  const cleanState = await load(stateScript);
  const planted = await load(plant);
  const after = await load(stateScript);
  assert.equal(after.id, planted.id);
  assert.equal(after.title, cleanState.title);
  const nothing = { local: [], session: [], name: '', cookie: '', databases: [] };
  assert.deepEqual({ ...(JSON.parse(after.title) as object), history: 0 }, { ...nothing, history: 0 });
});

test('cookies, cache and session storage of a site are gone in the next job', async () => {
  const cookies: (string | undefined)[] = [];
  let scripts = 0;
  const web = createServer((request, response) => {
    if (request.url === '/s.js') {
      scripts += 1;
      response.writeHead(200, { 'cache-control': 'max-age=3600' }).end('');
      return;
    }
    cookies.push(request.headers.cookie);
    response.writeHead(200, {
      'content-type': 'text/html',
      'set-cookie': 'a=1; Max-Age=3600',
      'cache-control': 'max-age=3600',
    });
    response.end(
      '<script src="/s.js"></script><script>document.title = String(sessionStorage.a); sessionStorage.a = 1; localStorage.a = 1</script>',
    );
  });
  await new Promise<void>((resolve) => web.listen(0, '127.0.0.1', resolve));
  const { port } = web.address() as AddressInfo;
  const allow = [readHostPattern('127.0.0.1')].filter((pattern) => pattern !== undefined);
  await using engine = await startEngine({
    workers: 1,
    network: { rules: { policy: 'intranet', allow, deny: [] } },
  });
  const titles: string[] = [];
  for (let n = 0; n < 3; n += 1) {
    const run = newRun('');
    const source = { kind: 'remote', url: new URL(`http://127.0.0.1:${port}/`), scripts: true } as const;
    await engine.withWindow(run, source, async (window, limited) => {
      await loadPage(window, source, limited);
      titles.push(window.contents.getTitle());
    });
  }
  web.closeAllConnections();
  web.close();
  assert.deepEqual(titles, ['undefined', 'undefined', 'undefined']);
  assert.deepEqual(cookies, [undefined, undefined, undefined]);
  assert.equal(scripts, 3);
});

test('a page is not converted if the preload file that clears state is missing', async () => {
  await using engine = await startEngine({ workers: 1 });
  const load = async () => {
    const run = newRun(stateScript);
    const source = await prepareSource(run, defaultLimits);
    return engine.withWindow(run, source, (window, limited) => loadPage(window, source, limited));
  };
  await load();
  const file = join(__dirname, 'page-preload.cjs');
  const aside = join(__dirname, 'page-preload.aside');
  renameSync(file, aside);
  try {
    await assert.rejects(load(), /page-preload.cjs is missing/);
  } finally {
    renameSync(aside, file);
  }
  await load();
});
