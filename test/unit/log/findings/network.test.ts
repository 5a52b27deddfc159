import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { at, requestLine } from '../../../support/debug-log/debug-log-lines.ts';
import type { RequestDetail } from '../../../../main/log/events.ts';
import { failedLog, failureEvents } from '../../../support/debug-log/sample-debug-logs.ts';
import { findingsAfterSuccess, onlyFinding } from '../../../support/debug-log/only-finding.ts';

describe('findings about requests', () => {
  test('ten missing images are one finding that names three of them', () => {
    const images = Array.from({ length: 10 }, (_, n) =>
      requestLine(`https://a.example/${n}.png`, { type: 'Image', status: 404 }),
    );
    const { code, sentence } = onlyFinding(...images, ...images);
    assert.equal(code, 'missing-resource');
    assert.match(
      sentence,
      /^10 resources did not load: https:\/\/a\.example\/0\.png \(image, status 404\), .*2\.png .* and 7 more\.$/,
    );
  });

  test('an error status of the page itself is reported as such, with fail_on_main_url_error', () => {
    const { sentence, options } = onlyFinding(
      requestLine('https://a.example/', { type: 'Document', status: 404 }),
    );
    assert.match(sentence, /^The page itself, https:\/\/a\.example\/, was answered with status 404/);
    assert.ok(options.includes('fail_on_main_url_error'));
  });

  test('the finding for a page that did not load names an option only if the option helps', () => {
    const page = (detail: RequestDetail) =>
      onlyFinding(requestLine('https://a.example/', { type: 'Document', ...detail })).options;
    assert.deepEqual(page({ status: 500 }), ['fail_on_main_url_error']);
    assert.ok(page({ status: 401 }).includes('http_auth_user_name'));
    const unsound = 'its TLS certificate or connection is not valid';
    assert.deepEqual(page({ failed: unsound }), ['verify_ssl_certificates']);
    assert.deepEqual(page({ failed: 'could not be loaded' }), []);
  });

  test('the finding for a page that did not load contains advice, unless the failure of the job already reports it', () => {
    const unreached = onlyFinding(
      requestLine('https://a.example/', { type: 'Document', failed: 'could not be loaded' }),
    );
    assert.match(
      unreached.sentence,
      /name was not found, or the server did not respond; open the address in a/,
    );
    const missing = requestLine('https://a.example/', { type: 'Document', status: 404 });
    const [, page] = findingsAfterSuccess(
      missing,
      ...failureEvents(321, 'The page of a.example was answered with status 404.'),
    );
    assert.match(page?.sentence ?? '', /was answered with status 404\.$/);
    assert.deepEqual(page?.options, []);
  });

  test('the page is distinguished from its resources after redirects', () => {
    const { sentence } = onlyFinding(
      requestLine('https://a.example/', { type: 'Document', status: 302, redirected: 'https://a.example/x' }),
      requestLine('https://a.example/x', { type: 'Document', status: 404 }),
    );
    assert.match(sentence, /^The page itself, https:\/\/a\.example\/x, was answered with status 404/);
  });

  test('a resource with a 404 response counts as missing, even if the browser discarded the response', () => {
    const orb = 'cross-origin content of an unexpected type (ORB)';
    for (const thrown of [{ failed: 'was cancelled' }, { blocked: orb }]) {
      const detail = { type: 'Stylesheet', status: 404, ...thrown };
      const { code, sentence } = onlyFinding(requestLine('https://a.example/a.css', detail));
      assert.equal(code, 'missing-resource');
      assert.match(sentence, /a\.css \(stylesheet, status 404\)/);
    }
  });

  test('a PDF at the url and a PDF that the page embeds are different findings', () => {
    const viewer = requestLine('chrome-extension://mhjfbmdgcfjbbpaeojofohoefgiehjai/index.html', {
      type: 'Document',
      blocked: 'this scheme is never loaded',
    });
    const address = (mime: string) =>
      onlyFinding(requestLine('https://a.example/a', { type: 'Document', status: 200, mime }), viewer);
    assert.equal(address('application/pdf').code, 'not-a-page');
    assert.match(
      address('application/pdf').sentence,
      /^The address returns a PDF, not a web page: https:\/\/a\.ex/,
    );
    assert.match(address('text/html').sentence, /^The page embeds a PDF/);
  });

  test('a file missing from the upload is named', () => {
    const { sentence, options } = onlyFinding(
      requestLine('img/logo.png', { type: 'Image', from: 'job', status: 404 }),
    );
    assert.match(sentence, /missing from the upload: img\/logo\.png\. Send .* archive/);
    assert.ok(options.includes('file'));
  });

  test('the finding for a blocked request refers to the operator if the network policy blocked it, or names the blocking option', () => {
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

  test('the finding for a request that the Content-Security-Policy of the page blocks contains no advice', () => {
    const blocked = "by the page's Content-Security-Policy";
    const { sentence } = onlyFinding(requestLine('https://a.example/x.js', { type: 'Script', blocked }));
    assert.match(sentence, /Reason: by the page's Content-Security-Policy\.$/);
  });

  test('a cancelled request is not a finding; a pending request is, unless it is for the page itself or the job failed', () => {
    assert.deepEqual(
      findingsAfterSuccess(requestLine('https://a.example/v.mp4', { failed: 'was cancelled' })),
      [],
    );
    const open = requestLine('https://a.example/events', { failed: 'was still pending' });
    assert.equal(onlyFinding(open).code, 'late-resources');
    const page = requestLine('index.html', { type: 'Document', failed: 'was still pending' });
    assert.deepEqual(findingsAfterSuccess(page), []);
    const slow = requestLine('https://a.example/x', { failed: 'was still pending' }, 9000);
    const failed = findingsAfterSuccess(
      open,
      slow,
      ...failureEvents(326, 'The conversion failed in two windows: the renderer crashed.'),
    );
    assert.deepEqual(
      failed.map(({ code }) => code),
      ['job-failed'],
    );
    const detail = { code: 'late-resources', options: ['javascript_delay'] } as const;
    assert.equal(onlyFinding(open, at(3, { kind: 'note', text: 'a note', detail })).sentence, 'a note');
  });

  test('a request is slow if it took a large share of the job', () => {
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
    assert.match(sentence, /took 1,500 ms: https:\/\/a\.example\/slow\.css \(900 ms\)/);
    assert.deepEqual(
      findingsAfterSuccess(slow, at(60_000, { kind: 'end', text: '', detail: { outcome: 'converted' } })),
      [],
    );
  });

  test('a redirect loop is reported once, and not as a missing resource', () => {
    const [failure, loop, ...more] = findingsAfterSuccess(...failedLog());
    assert.deepEqual([failure?.code, loop?.code, more], ['job-failed', 'redirect-loop', []]);
    assert.match(
      loop?.sentence ?? '',
      /example\/login → https:\/\/shop\.example\/home → https:\/\/shop\.example\/login, and so on/,
    );
  });

  test('a few redirects are not a loop, even back and forth', () => {
    const hop = (from: string, to: string) =>
      requestLine(`https://a.example/${from}`, { status: 302, redirected: `https://a.example/${to}` });
    assert.deepEqual(
      findingsAfterSuccess(hop('login', 'home'), hop('home', 'login'), hop('login', 'home')),
      [],
    );
  });
});
