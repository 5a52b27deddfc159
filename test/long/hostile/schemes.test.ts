import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { after, before, describe, test } from 'node:test';
import { convert, refusal, send } from '../../support/convert.ts';
import { replaceOpeners, type Openers } from '../../support/openers.ts';
import { pdfText } from '../../support/pdf.ts';
import { serveWeb } from '../../support/web-server.ts';
import { startService, type Service } from '../../support/service.ts';

/** A URL of each scheme; a page may neither show it nor pass it to an external program. */
const addresses: readonly (readonly [what: string, address: string, leaves?: true])[] = [
  ['of mail', 'mailto:a@b.example?subject=x&body=y'],
  ['of a telephone', 'tel:+123'],
  ['of FTP', 'ftp://127.0.0.1/x'],
  ['of an unknown program', 'ms-msdt:/id'],
  ['of a meeting', 'zoommtg://join?x=y'],
  ['of a search of Windows', 'search-ms:query=x&crumb=location:\\\\host\\share'],
  ['of settings of Windows', 'ms-settings:display'],
  ['of a Windows resource', 'res://ieframe.dll/x.htm'],
  ['of a Java archive', 'jar:http://127.0.0.1/x!/y'],
  ['of a resource of a browser', 'resource:///x'],
  ['of an intent', 'intent://x#Intent;scheme=http;end'],
  ['of Basic', 'vbscript:msgbox(1)'],
  ['of a secure shell', 'ssh://127.0.0.1/'],
  ['of a share', 'smb://127.0.0.1/share'],
  ["of the browser's version", 'chrome://version'],
  ["of the browser's graphics", 'chrome://gpu'],
  ["of the browser's crash", 'chrome://crash'],
  ["of the browser's end", 'chrome://quit'],
  ["of the browser's memory", 'chrome://tracing'],
  ['of untrusted pages of the browser', 'chrome-untrusted://print', true],
  ['of errors of the browser', 'chrome-error://chromewebdata/'],
  ['of the developer tools', 'devtools://devtools/bundled/inspector.html'],
  ['of an extension', 'chrome-extension://mhjfbmdgcfjbbpaeojofohoefgiehjai/index.html'],
  ['of a file system', 'filesystem:http://127.0.0.1/temporary/x'],
  ['of a source', 'view-source:http://127.0.0.1/'],
  ['of a blob of another', 'blob:http://127.0.0.1/00000000-0000-0000-0000-000000000000'],
  ["of a host of the job's scheme", 'platen://other/x', true],
  ['of Electron', 'electron://x'],
  ['of Node', 'node:fs'],
];

/** Loads the URL in every way, and prints the results of its requests. `leaves`: the browser shows an empty page instead. */
const everyWay = (
  address: string,
  leaves = false,
) => `<p>page</p><iframe name="frame"></iframe><p id="said"></p>
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
  fetch(at).then((r) => r.ok ? r.text() : 'refused', () => 'refused').then((text) => { said.textContent = 'said ' + text });
</script>`;

describe('Addresses of other schemes', { concurrency: 2 }, () => {
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
    test(`a page that navigates to an address ${what} stays, and starts no program`, async () => {
      const answer = await send(service, {
        text: everyWay(address, leaves),
        wait_for_element: '#said:not(:empty)',
      });
      assert.equal(answer.status, 200, answer.body.toString());
      assert.equal(pdfText(answer.body), 'page said refused');
      assert.equal(openers.opened(), '');
    });

    if (leaves)
      test(`a page that unloads to an address ${what} does not show it`, async () => {
        const text = `<p>page</p><script>location = ${JSON.stringify(address)}</script>`;
        const { status, body } = await send(service, { text });
        // Either the URL leads to an empty page, or it is not loaded.
        if (status === 200) assert.equal(pdfText(body), '');
        else assert.match(body.toString(), /^400\.321 - /);
      });

    test(`an address ${what} is refused as url`, async () => {
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

  test('a site that redirects to a page of the service is not loaded', async () => {
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
    const text = `<p id="said"></p><iframe src="${earlier}"></iframe><script>fetch("${earlier}").then(async (r) => { said.textContent = r.status + await r.text() }, () => { said.textContent = 'refused' })</script>`;
    for (let n = 0; n < 4; n += 1) {
      const pageText = pdfText(await convert(service, { text, wait_for_element: '#said:not(:empty)' }));
      assert.equal(pageText, '404');
    }
  });

  test('this suite detects programs that the service starts', () => {
    using other = replaceOpeners();
    spawnSync('xdg-open', ['mailto:x'], { env: other.environment });
    assert.equal(other.opened(), 'xdg-open mailto:x\n');
  });
});
