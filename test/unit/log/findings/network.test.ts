import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { findingsOf } from '../../../../main/log/findings.ts';
import { at, requestLine } from '../../../support/debug-log-lines.ts';
import { failedLog } from '../../../support/debug-logs.ts';
import { onlyFinding } from '../../../support/only-finding.ts';

describe('requests', () => {
  test('ten missing images are one finding that names three of them', () => {
    const images = Array.from({ length: 10 }, (_, n) =>
      requestLine(`https://a.example/${n}.png`, { type: 'Image', status: 404 }),
    );
    const { code, sentence } = onlyFinding(...images, ...images);
    assert.equal(code, 'missing-resource');
    assert.match(
      sentence,
      /^10 resources did not come: https:\/\/a\.example\/0\.png \(image, status 404\), .*2\.png .* and 7 more\.$/,
    );
  });

  test('a page that is answered with an error is told apart from its parts', () => {
    const { sentence, options } = onlyFinding(
      requestLine('https://a.example/', { type: 'Document', status: 404 }),
    );
    assert.match(sentence, /^The page itself, https:\/\/a\.example\/, was answered with status 404/);
    assert.ok(options.includes('fail_on_main_url_error'));
  });

  test('a file that was not sent along is called by its name', () => {
    const { sentence, options } = onlyFinding(
      requestLine('img/logo.png', { type: 'Image', from: 'job', status: 404 }),
    );
    assert.match(sentence, /not among what was sent: img\/logo\.png\. Send .* archive/);
    assert.ok(options.includes('file'));
  });

  test('a request the network policy refused points to the operator, one of an option to the option', () => {
    const policy = onlyFinding(
      requestLine('http://10.0.0.7/', { type: 'Image', blocked: 'by the network policy' }),
    );
    assert.deepEqual([policy.code, policy.severity, policy.options], ['blocked-resource', 'warning', []]);
    assert.match(policy.sentence, /operator .* network-allow/);
    const option = onlyFinding(
      requestLine('http://ads.example/', { type: 'Script', blocked: 'by block_ads' }),
    );
    assert.deepEqual([option.severity, option.options], ['info', ['block_ads']]);
  });

  test('a request its own page blocks points to nobody else', () => {
    const blocked = "by the page's Content-Security-Policy";
    const { sentence } = onlyFinding(requestLine('https://a.example/x.js', { type: 'Script', blocked }));
    assert.match(sentence, /Why: by the page's Content-Security-Policy\.$/);
  });

  test('a request that was called off is no fault, one still on its way is late', () => {
    assert.deepEqual(findingsOf([requestLine('https://a.example/v.mp4', { failed: 'called off' })]), []);
    const open = requestLine('https://a.example/events', { failed: 'was still on its way' });
    assert.equal(onlyFinding(open).code, 'late-resources');
    const detail = { code: 'late-resources', options: ['javascript_delay'] } as const;
    assert.equal(onlyFinding(open, at(3, { kind: 'note', text: 'told', detail })).sentence, 'told');
  });

  test('a request is slow when it took much of the whole', () => {
    const slow = requestLine(
      'https://a.example/slow.css',
      { type: 'Stylesheet', began: 10, status: 200 },
      900,
    );
    const { code, sentence } = onlyFinding(
      slow,
      at(1500, { kind: 'end', text: '', detail: { outcome: 'converted' } }),
    );
    assert.equal(code, 'slow-resource');
    assert.match(sentence, /of 1,500 ms in all: https:\/\/a\.example\/slow\.css \(900 ms\)/);
    assert.deepEqual(
      findingsOf([slow, at(60_000, { kind: 'end', text: '', detail: { outcome: 'converted' } })]),
      [],
    );
  });

  test('a redirect loop shows its way once, and no missing resource besides', () => {
    const { code, sentence } = onlyFinding(...failedLog());
    assert.equal(code, 'redirect-loop');
    assert.match(
      sentence,
      /example\/login → https:\/\/shop\.example\/home → https:\/\/shop\.example\/login, and so on/,
    );
  });

  test('a few redirects are no loop, even there and back', () => {
    const hop = (from: string, to: string) =>
      requestLine(`https://a.example/${from}`, { status: 302, redirected: `https://a.example/${to}` });
    assert.deepEqual(findingsOf([hop('login', 'home'), hop('home', 'login'), hop('login', 'home')]), []);
  });
});
