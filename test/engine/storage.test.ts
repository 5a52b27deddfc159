/** Storage of a page's frames, in one job and in the next. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { openTwoSites, type Pages, type TwoSites } from '../support/servers/two-sites.ts';

const write = "localStorage.mark = sessionStorage.mark = 'mine'";
const read = 'JSON.stringify([localStorage.mark, sessionStorage.mark])';

/** Sets the title when all frames have loaded. */
const page = `<script>onload = () => (document.title = ${read})</script>`;

const pages: Pages = {
  '/srcdoc': () => `<script>${write}</script><iframe srcdoc="<p>frame"></iframe>${page}`,
  '/same': () => `<script>${write}</script><iframe src="/empty"></iframe>${page}`,
  '/both': ({ there }) =>
    `<script>${write}</script><iframe src="${there}/empty"></iframe><iframe srcdoc="<p>frame"></iframe>${page}`,
  '/empty': () => '<p>empty',
  '/around': ({ there }) =>
    `<iframe src="${there}/between"></iframe><script>onmessage = ({ data }) => (document.title = data)</script>`,
  '/between': ({ here }) => `<iframe src="${here}/within"></iframe>`,
  '/within': () => `<script>top.postMessage(${read}, '*'); ${write}</script>`,
};

describe('Storage', () => {
  let web: TwoSites;
  before(async () => (web = await openTwoSites(pages, { workers: 1 })));
  after(() => web[Symbol.asyncDispose]());

  const titleOf = (path: string) => web.visit(web.here + path, ({ contents }) => contents.getTitle());

  for (const path of ['/srcdoc', '/same', '/both'])
    test(`of a page stays when frames are added to the page (${path})`, async () => {
      assert.equal(await titleOf(path), '["mine","mine"]');
    });

  test('of a frame inside a frame of another site is gone in the next job', async () => {
    for (let jobs = 0; jobs < 3; jobs += 1) assert.equal(await titleOf('/around'), '[null,null]');
  });
});
