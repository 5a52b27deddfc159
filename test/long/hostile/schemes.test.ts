import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { after, before, describe, test } from 'node:test';
import { convert, refusal, send } from '../../support/service/convert.ts';
import { replaceOpeners, type Openers } from '../../support/console/openers.ts';
import { pdfText } from '../../support/output/pdf.ts';
import { serveWeb } from '../../support/servers/web-server.ts';
import { startService, type Service } from '../../support/service/service.ts';

/** A URL of each scheme. A page may neither show the URL nor open it in an external program. */
const addresses: readonly (readonly [what: string, address: string, leaves?: true])[] = [
  ['a mailto: URL', 'mailto:a@b.example?subject=x&body=y'],
  ['a tel: URL', 'tel:+123'],
  ['an ftp: URL', 'ftp://127.0.0.1/x'],
  ['an ms-msdt: URL', 'ms-msdt:/id'],
  ['a zoommtg: URL', 'zoommtg://join?x=y'],
  ['a search-ms: URL', 'search-ms:query=x&crumb=location:\\\\host\\share'],
  ['an ms-settings: URL', 'ms-settings:display'],
  ['a res: URL', 'res://ieframe.dll/x.htm'],
  ['a jar: URL', 'jar:http://127.0.0.1/x!/y'],
  ['a resource: URL', 'resource:///x'],
  ['an intent: URL', 'intent://x#Intent;scheme=http;end'],
  ['a vbscript: URL', 'vbscript:msgbox(1)'],
  ['an ssh: URL', 'ssh://127.0.0.1/'],
  ['an smb: URL', 'smb://127.0.0.1/share'],
  ['chrome://version', 'chrome://version'],
  ['chrome://gpu', 'chrome://gpu'],
  ['chrome://crash', 'chrome://crash'],
  ['chrome://quit', 'chrome://quit'],
  ['chrome://tracing', 'chrome://tracing'],
  ['a chrome-untrusted: URL', 'chrome-untrusted://print', true],
  ['a chrome-error: URL', 'chrome-error://chromewebdata/'],
  ['a devtools: URL', 'devtools://devtools/bundled/inspector.html'],
  ['a chrome-extension: URL', 'chrome-extension://mhjfbmdgcfjbbpaeojofohoefgiehjai/index.html'],
  ['a filesystem: URL', 'filesystem:http://127.0.0.1/temporary/x'],
  ['a view-source: URL', 'view-source:http://127.0.0.1/'],
  ['a blob: URL of another origin', 'blob:http://127.0.0.1/00000000-0000-0000-0000-000000000000'],
  ['another host of the platen: scheme', 'platen://other/x', true],
  ['an electron: URL', 'electron://x'],
  ['a node: URL', 'node:fs'],
];

/**
 * Returns a page that opens the URL in every way, and shows the result of its fetch. `leaves`: the page does not navigate to the
 * URL, because the browser would show an empty page instead.
 */
const everyWay = (
  address: string,
  leaves = false,
) => `<p>page</p><iframe name="frame"></iframe><p id="result"></p>
<script>
  const at = ${JSON.stringify(address)};
  const add = (tag, attributes) => { const e = document.createElement(tag); for (const [n, v] of Object.entries(attributes)) e.setAttribute(n, v); document.body.append(e); return e };
  const attempt = (work) => { try { work() } catch {} };
  attempt(() => add('iframe', { src: at }));
  attempt(() => add('object', { data: at }));
  attempt(() => add('embed', { src: at }));
  attempt(() => add('a', { href: at, target: '_blank' }).click());
  attempt(() => add('form', { action: at, target: 'frame' }).submit());
  attempt(() => open(at));
  attempt(() => { frames.frame.location = at });
  if (!${String(leaves)}) {
    attempt(() => add('a', { href: at }).click());
    attempt(() => { location.href = at });
  }
  attempt(() => add('img', { src: at }));
  attempt(() => add('script', { src: at }));
  attempt(() => add('link', { rel: 'stylesheet', href: at }));
  fetch(at).then((r) => r.ok ? r.text() : 'refused', () => 'refused').then((text) => { result.textContent = 'result ' + text });
</script>`;

describe('URLs with other schemes', { concurrency: 2 }, () => {
  let service: Service;
  let openers: Openers;
  before(async () => {
    openers = replaceOpeners();
    const flags = ['--workers', '2', '--job-timeout', '40'];
    service = await startService({ flags, environment: openers.environment });
  });
  after(async () => {
    await service[Symbol.asyncDispose]();
    openers[Symbol.dispose]();
  });

  for (const [what, address, leaves] of addresses) {
    test(`a page that opens ${what} is printed instead of the URL, and no program is started`, async () => {
      const answer = await send(service, {
        text: everyWay(address, leaves),
        wait_for_element: '#result:not(:empty)',
      });
      assert.equal(answer.status, 200, answer.body.toString());
      assert.equal(pdfText(answer.body), 'page result refused');
      assert.equal(openers.opened(), '');
    });

    if (leaves)
      test(`a page that navigates to ${what} shows nothing of the URL`, async () => {
        const text = `<p>page</p><script>location = ${JSON.stringify(address)}</script>`;
        const { status, body } = await send(service, { text });
        // The browser shows an empty page, or the page cannot be loaded.
        if (status === 200) assert.equal(pdfText(body), '');
        else assert.match(body.toString(), /^400\.321 - /);
      });

    test(`${what} is refused as url`, async () => {
      assert.match(await refusal(service, { url: address }), /^400\.320 - /);
      assert.equal(openers.opened(), '');
    });
  }

  for (const url of [
    'javascript:alert(1)',
    'data:text/html,x',
    'about:blank',
    'about:srcdoc',
    'ws://127.0.0.1/',
    'platen://job/',
    ' file:///etc/passwd',
    'http:\\\\127.0.0.1',
    '//127.0.0.1/',
    'http://',
  ])
    test(`${JSON.stringify(url)} is refused as url`, async () => {
      assert.match(await refusal(service, { url }), /^400\.3(20|22) - /);
    });

  test('a web page that redirects to the platen: scheme is not loaded', async () => {
    await using web = await serveWeb({
      '/': (_request, response) => response.writeHead(302, { location: 'platen://job/blank' }).end(),
    });
    await using reaching = await startService({
      flags: ['--network-allow', `127.0.0.1:${web.port}`, '--workers', '1'],
    });
    assert.match(await refusal(reaching, { url: web.url }), /^400\.321 - /);
    assert.equal(pdfText(await convert(reaching, { text: '<script></script>next' })), 'next');
    assert.doesNotMatch(reaching.log(), /not cleaned/);
  });

  test('a page cannot read the document of the previous job', async () => {
    const earlier = pdfText(
      await convert(service, { text: '<script>document.write(location.href)</script>' }),
    ).replaceAll(' ', '');
    assert.match(earlier, /^platen:\/\/job\/[\da-f-]{36}\//);
    const text = `<p id="result"></p><iframe src="${earlier}"></iframe><script>fetch("${earlier}").then(async (r) => { result.textContent = r.status + await r.text() }, () => { result.textContent = 'refused' })</script>`;
    for (let n = 0; n < 4; n += 1) {
      const pageText = pdfText(await convert(service, { text, wait_for_element: '#result:not(:empty)' }));
      assert.equal(pageText, '404');
    }
  });

  test('this suite detects programs that the service starts', () => {
    using detector = replaceOpeners();
    spawnSync('xdg-open', ['mailto:x'], { env: detector.environment });
    assert.equal(detector.opened(), 'xdg-open mailto:x\n');
  });
});
