/** What a page's frames have of its storage, in one job and in the next. */
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { loadPage } from '../../main/engine/load-page.ts';
import type { Engine } from '../../main/engine/engine.ts';
import { readHostPattern } from '../../main/network/policy.ts';
import { newRun, startEngine } from '../support/engine.ts';

const write = "localStorage.mark = sessionStorage.mark = 'mine'";
const read = 'JSON.stringify([localStorage.mark, sessionStorage.mark])';

/** Pages by their paths; `there` and `here` are two sites. */
const pages: Readonly<Record<string, (there: string, here: string) => string>> = {
  '/srcdoc': () => `<script>${write}</script><iframe srcdoc="<p>frame"></iframe>${told}`,
  '/same': () => `<script>${write}</script><iframe src="/empty"></iframe>${told}`,
  '/both': (there) =>
    `<script>${write}</script><iframe src="${there}/empty"></iframe><iframe srcdoc="<p>frame"></iframe>${told}`,
  '/empty': () => '<p>empty',
  '/around': (there) =>
    `<iframe src="${there}/between"></iframe><script>onmessage = ({ data }) => (document.title = data)</script>`,
  '/between': (_there, here) => `<iframe src="${here}/within"></iframe>`,
  '/within': () => `<script>top.postMessage(${read}, '*'); ${write}</script>`,
};

/** When all frames have come. */
const told = `<script>onload = () => (document.title = ${read})</script>`;

describe('What pages have stored', () => {
  let web: ReturnType<typeof createServer>;
  let port: number;
  let engine: Engine;
  before(async () => {
    web = createServer(({ url = '' }, response) => {
      const [here, there] = [`http://127.0.0.1:${port}`, `http://localhost:${port}`];
      const page = pages[url];
      response.writeHead(page === undefined ? 404 : 200, { 'content-type': 'text/html' });
      response.end(page?.(there, here));
    });
    await new Promise<void>((resolve) => web.listen(0, '127.0.0.1', resolve));
    ({ port } = web.address() as AddressInfo);
    const allow = ['127.0.0.1', 'localhost'].map(readHostPattern).filter((pattern) => pattern !== undefined);
    engine = await startEngine({ workers: 1, network: { rules: { policy: 'intranet', allow, deny: [] } } });
  });
  after(async () => {
    await engine[Symbol.asyncDispose]();
    web.closeAllConnections();
    web.close();
  });

  async function titleOf(path: string): Promise<string> {
    const source = {
      kind: 'remote',
      url: new URL(`http://127.0.0.1:${port}${path}`),
      scripts: true,
    } as const;
    return engine.withWindow(newRun(''), source, async (window, limited) => {
      await loadPage(window, source, limited);
      return window.contents.getTitle();
    });
  }

  for (const path of ['/srcdoc', '/same', '/both'])
    test(`a page keeps what it has stored when frames come into it (${path})`, async () => {
      assert.equal(await titleOf(path), '["mine","mine"]');
    });

  test('a frame in a frame of another site finds nothing that one like it has left in the job before', async () => {
    for (let jobs = 0; jobs < 3; jobs += 1) assert.equal(await titleOf('/around'), '[null,null]');
  });
});
