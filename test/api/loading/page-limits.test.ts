/** Limits of a page: the settings page-requests and page-size. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { convert, refusal, send } from '../../support/service/convert.ts';
import { readDebugLog } from '../../support/debug-log/debug-log.ts';
import { waitForStderr } from '../../support/service/wait-for-log.ts';
import { pdfText } from '../../support/output/pdf.ts';
import { startService, type Service } from '../../support/service/service.ts';
import { serveWeb, type Routes } from '../../support/servers/web-server.ts';

describe('Page limits', () => {
  let service: Service;
  let jobs = 0;
  before(
    async () =>
      (service = await startService({
        flags: [
          '--network-allow',
          '127.0.0.0/8',
          '--workers',
          '1',
          '--job-timeout',
          '60',
          '--page-requests',
          '100',
          '--page-size',
          '2MB',
        ],
      })),
  );
  after(() => service[Symbol.asyncDispose]());

  const endless =
    (type: string): Routes[string] =>
    (_request, response) => {
      const writeMore = () =>
        response.write(Buffer.alloc(50_000, 32), (problem) => problem ?? setImmediate(writeMore));
      response.writeHead(200, { 'content-type': type });
      writeMore();
    };

  for (const [what, html] of Object.entries({
    'by scripts': `<script>
      let asked = 0;
      const ask = () => { if (asked++ < 1000) fetch('PLACE/' + asked).then(ask, ask) };
      for (let n = 0; n < 10; n += 1) ask();
    </script>`,
    'as images': Array.from({ length: 1000 }, (_, n) => `<img src="PLACE/${n}">`).join(''),
    'as WebSockets': `<script>for (let n = 0; n < 1000; n += 1) new WebSocket('PLACE/'.replace('http', 'ws') + n)</script>`,
    'by a worker': `<script>
      new Worker(URL.createObjectURL(new Blob(["for (let n = 0; n < 1000; n += 1) fetch('PLACE/' + n)"])));
    </script>`,
    'as preconnects and prefetches': Array.from(
      { length: 300 },
      (_, n) => `<link rel="preconnect" href="PLACE/?${n}"><link rel="prefetch" href="PLACE/${n}">`,
    ).join(''),
  }))
    test(`stop the requests of a page that sends too many (${what}), and the page is converted`, async () => {
      await using web = await serveWeb({});
      const text = `<p>page</p>${html.replaceAll('PLACE', web.url)}`;
      const answer = await send(service, { text, debug_log: true, javascript_delay: 3000 });
      assert.equal(answer.status, 200, answer.body.toString());
      assert.match(pdfText(answer.body), /page/);
      assert.ok(
        web.requestedPaths.length > 20 && web.requestedPaths.length <= 100,
        `${web.requestedPaths.length} requests`,
      );
      const { events } = await readDebugLog(answer);
      const notes = events.filter(
        ({ kind, text: said }) => kind === 'note' && said.includes('page-requests'),
      );
      assert.equal(notes.length, 1);
      const refused = events.filter(
        (event) => event.kind === 'request' && event.detail.blocked !== undefined,
      );
      assert.equal(refused.length, 0, 'the log lists refused requests in addition to the note');
      jobs += 1;
      assert.equal(await waitForStderr(service, /a page reached its loading limits/, jobs), jobs);
    });

  test('abort a resource that never ends, and the page is converted without the resource', async () => {
    await using web = await serveWeb({ '/endless.js': endless('text/javascript') });
    const text = `<script src="${web.url}/endless.js"></script><p>page</p>`;
    const answer = await send(service, { text, debug_log: true });
    assert.equal(answer.status, 200, answer.body.toString());
    assert.match(pdfText(answer.body), /page/);
    const { events } = await readDebugLog(answer);
    assert.equal(events.filter(({ text: said }) => said.includes('page-size')).length, 1);
  });

  test('refuse a page that is too large with 400.306, and apply to each job separately', async () => {
    await using web = await serveWeb({ '/': endless('text/html'), '/small': '<p>small</p>' });
    assert.match(
      await refusal(service, { url: `${web.url}/` }),
      /^400\.306 - The page of 127\.0\.0\.1 was not fully loaded/,
    );
    assert.match(pdfText(await convert(service, { url: `${web.url}/small` })), /small/);
  });

  test('do not block the footer of a page that has reached its number of requests', async () => {
    await using web = await serveWeb({});
    const images = Array.from({ length: 300 }, (_, n) => `<img src="${web.url}/${n}">`).join('');
    const pdf = await convert(service, { text: `<p>page</p>${images}`, footer_html: '<p>the footer</p>' });
    assert.match(pdfText(pdf), /the footer/);
  });

  test('include the service itself, which a page cannot load even if the whole network is allowed', async () => {
    for (const host of ['127.0.0.1', '[::ffff:127.0.0.1]'])
      assert.match(
        await refusal(service, { url: `http://${host}:${new URL(service.url).port}/health` }),
        /^400\.322/,
        host,
      );
    await using web = await serveWeb({ '/': 'another' });
    assert.match(pdfText(await convert(service, { url: `${web.url}/` })), /another/);
    await waitForStderr(service, /the target is this service/);
  });
});
