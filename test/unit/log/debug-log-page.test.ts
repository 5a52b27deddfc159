import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { debugLogPage } from '../../../main/log/debug-log-page.ts';
import type { LogEvent } from '../../../main/log/events.ts';

function jobEvent(id: string): LogEvent {
  const versions = { platen: '1', electron: '2', chromium: '3' };
  return { at: 0, kind: 'job', text: id, detail: { account: 'a', received: '2026-01-01', versions } };
}

function said(text: string, source: string): LogEvent {
  return { at: 1, kind: 'console', text, detail: { level: 'info', source, line: 1 } };
}

test('the page names the job and shows every event with its times, kind, text and details', () => {
  const page = debugLogPage([
    jobEvent('abc123'),
    { at: 12.5, kind: 'stage', text: 'load', took: 7.25, detail: { ended: 'all was there' } },
  ]);
  for (const shown of ['Debug log abc123', '12.5', '7.25', 'stage', 'load', 'all was there'])
    assert.ok(page.includes(shown), shown);
});

test('nothing a page or a caller wrote can become markup', () => {
  const wicked = fc.constantFrom(
    '<script>alert(1)</script>',
    '"><img src=x onerror=a()>',
    "'onload='a()",
    '</table><h1>',
    '<!--',
    '</style>',
    '&lt;script&gt;',
  );
  fc.assert(
    fc.property(wicked, fc.string(), (text, more) => {
      const page = debugLogPage([jobEvent(text), said(`${text}${more}`, text)]);
      const ours = debugLogPage([jobEvent(''), said('x', 'b')]);
      const tags = (html: string) => html.match(/<[^>]*>?/g) ?? [];
      assert.deepEqual(tags(page), tags(ours));
    }),
  );
});

test('the page needs no script and nothing from elsewhere, even without events', () => {
  for (const page of [
    debugLogPage([]),
    debugLogPage([{ at: 0, kind: 'request', text: 'https://a.example/x.png', detail: {} }]),
  ]) {
    assert.doesNotMatch(page, /<script|<link|\bsrc=|\bhref=|url\(|@import/i);
    assert.match(page, /^<!doctype html>/);
  }
});
