/** Signs that a page is unfinished. While a page shows one, slow responses are awaited longer. */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { convert } from '../../support/service/convert.ts';
import { pdfText } from '../../support/output/pdf.ts';
import type { Service } from '../../support/service/service.ts';
import { defaultService } from '../../support/service/default-service.ts';
import { serveWeb, type Routes } from '../../support/servers/web-server.ts';

let service: Service;
before(async () => {
  service = await defaultService();
});

/**
 * Converts a page with this content whose script asks for data; returns whether its response was awaited. The address is typical of
 * long polls, so it is awaited for 0.7 s unless the page looks unfinished. The response shows the data and removes the sign.
 */
async function awaitsResponse(content: string): Promise<boolean> {
  const page = `<!doctype html><meta charset="utf-8"><div class="sign">${content}</div><p>Invoice 4711: 100.00</p>
    <script>fetch('/poll').then((r) => r.text()).then((t) => { document.querySelector('.sign').textContent = t })</script>`;
  const respond: Routes[string] = (_request, response) => setTimeout(() => response.end('arrived'), 1800);
  await using web = await serveWeb({ '/': page, '/poll': respond });
  return pdfText(await convert(service, { url: web.url })).includes('arrived');
}

const animation = (name: string, style: string) =>
  `<style>@keyframes a { 50% { opacity: 0.4 } } .${name} { background: green; animation: a 2s infinite; ${style} }</style><div class="${name}"></div>`;

describe('a slow response is awaited while a page shows', () => {
  const signs: Readonly<Record<string, string>> = {
    'a busy region': '<section aria-busy="true">Sales</section>',
    'a progress bar without a value': '<div role="progressbar" style="height: 4px"></div>',
    'a progress bar whose value changes': `<div role="progressbar" id="bar" aria-valuenow="1">.</div>
      <script>let n = 1; setInterval(() => bar.setAttribute('aria-valuenow', ++n), 100)</script>`,
    'a skeleton that only its animation reveals': animation('bar', 'height: 20px; width: 200px'),
    'a canvas on which nothing was drawn': '<canvas width="200" height="100"></canvas>',
    'a state named loading': '<section data-state="loading">Sales</section>',
    'dashes instead of its figures':
      '<dl><dt>Revenue<dd>—<dt>Orders<dd>—<dt>Visitors<dd>—<dt>Returns<dd>--</dl>',
    'a loading word': '<p>Loading</p>',
    'a word for work with an ellipsis': '<p>Processing your order…</p>',
    'a word for work with a percentage': '<p>Generating report: 40 %</p>',
  };
  for (const [what, content] of Object.entries(signs))
    test(what, async () => {
      assert.equal(await awaitsResponse(content), true);
    });
});

describe('a slow response is not awaited because a finished page has', () => {
  const contents: Readonly<Record<string, string>> = {
    'words that begin like those for loading':
      '<table><tr><td>Processing fee 2 %<td>5.00<tr><td>Loading dock<td>12.00</table><p>Pending</p>',
    'dashes as empty cells': '<table><tr><td>Discount<td>—<tr><td>10 pieces<td>5.00<tr><td>Tax<td>-</table>',
    'a dot that pulses': `${animation('dot', 'width: 9px; height: 9px; border-radius: 50%')} Live`,
    'a progress bar with a figure':
      '<div role="progressbar" aria-valuenow="70">70 %</div><progress value="70" max="100"></progress>',
    'a canvas behind its content': '<canvas style="position: fixed; inset: 0; z-index: -1"></canvas>',
    'a canvas that is drawn':
      '<canvas class="c"></canvas><script>document.querySelector(".c").getContext("2d").fillRect(0, 0, 9, 9)</script>',
  };
  for (const [what, content] of Object.entries(contents))
    test(what, async () => {
      assert.equal(await awaitsResponse(content), false);
    });
});
