import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import type { LogEvent } from '../../../main/log/events.ts';
import { debugLogPage, logPagePolicy } from '../../../main/log/log-page.ts';
import { textOf } from '../../support/debug-log/debug-log.ts';
import { at, consoleLine, jobLine, requestLine, stageLine } from '../../support/debug-log/debug-log-lines.ts';
import {
  cleanLog,
  crashedLog,
  failedLog,
  failureEvents,
  hostileLog,
  hugeLog,
} from '../../support/debug-log/sample-debug-logs.ts';
import { completeLog } from '../../support/debug-log/complete-debug-log.ts';

const links = { json: 'abc.json', har: 'abc.har', recipe: 'abc.recipe.json' };

test('the log page shows every event', () => {
  const page = plain(debugLogPage(completeLog(), links));
  for (const shown of [
    'Debug log 01JD8Q5T3Z',
    'Converted 3 pages, 412 kB',
    'invoices-november',
    'office',
    '33.2.1',
    'fall quiet 200 ms were over: 1 request was on its way 201 ms',
    'assets/logo@2x.png',
    '404',
    'Initiator invoices/2026-11:19',
    '98 kB',
    'by block_ads refused',
    'could not be loaded',
    'set-cookie ***',
    "reading 'total'",
    'sum (assets/invoice.js:214:31)',
    '1,024 × 1,500 px',
    '210.1 × 296.9 mm (8.27 × 11.69 in)',
    'overflows by 3 px on the right',
    'Liberation Sans 120 glyphs',
    'Brand Serif',
    'U+E001',
    '4,000 × 3,000 px',
    '#scan',
    'Images 310 kB, 75 %',
    'http_auth_password',
    '3 defaults',
    'default from --alias',
    'The data filled 12 places',
  ])
    assert.ok(page.includes(shown), `${shown} in ${page}`);
});

test('the page of a failed job shows its code, reason and stage', () => {
  const page = plain(debugLogPage(failedLog()));
  assert.match(
    page,
    /Failed 400\.321 The page could not be loaded: it redirects in a circle\. Stage: load the page\./,
  );
});

test('a stage named in the failure is not repeated', () => {
  const text = 'The job ran out of time: 8 s were over in the stage "load the page".';
  const page = plain(debugLogPage([jobLine(), ...failureEvents(323, text)]));
  assert.doesNotMatch(page, /Stage: /);
  assert.match(plain(debugLogPage(failureEvents(311, 'No.', 'start'))), /Stage: reading the request\./);
});

test('the page of a job without an output never says that no problems were found', () => {
  for (const events of [failedLog(), crashedLog(), [], failureEvents(500, 'A fault.')])
    assert.doesNotMatch(plain(debugLogPage(events)), /No problems found/);
});

test('the last label of the time axis is right-aligned, so it stays in its column', () => {
  const page = debugLogPage([jobLine(), stageLine('print', { end: 131, took: 131 })]);
  assert.match(page, /<text x="76\.34%" y="12">100 ms</);
  assert.match(page, /<text data-last(?:="")? x="91\.6%" y="12">120 ms</);
});

test('a console line is cut after 2000 characters, and never inside a surrogate pair', () => {
  const long = `${'a'.repeat(1999)}😀${'z'.repeat(99)}`;
  const page = debugLogPage([jobLine(), consoleLine(long), consoleLine(long.slice(100))]);
  assert.match(page, />a{1999}… \(101 more characters\)</);
  assert.match(page, />a{1899}😀z{99}</);
});

test('a 404 response shows its status, not a refusal or cancellation', () => {
  const thrown = [{ failed: 'was cancelled' }, { blocked: 'by ORB' }];
  for (const more of thrown) {
    const page = plain(debugLogPage([requestLine('https://a.example/x.css', { status: 404, ...more })]));
    assert.match(page, /x\.css .* 404 /);
    assert.doesNotMatch(page.slice(0, page.indexOf('All events')), /Failed was cancelled| refused /);
  }
});

test('the page of a truncated or empty log says that the job is still running or the service ended', () => {
  for (const events of [crashedLog(), []])
    assert.match(plain(debugLogPage(events)), /still running, or the service ended during the job/);
});

test('empty sections are omitted', () => {
  const headings = (events: LogEvent[]) =>
    [...debugLogPage(events).matchAll(/<h2[^>]*>([^<]*)/g)].map(([, title]) => title?.trim());
  assert.deepEqual(headings(cleanLog()), ['Findings', 'Stages', 'All events']);
  assert.match(plain(debugLogPage(cleanLog())), /Findings No problems found/);
});

test('text from a web page or a client never becomes markup', () => {
  const wicked = fc.constantFrom(
    '<script>alert(1)</script>',
    '"><img src=x onerror=a()>',
    "'onload='a()",
    '</table><h1>',
    '<!--',
    '</style>',
    '</title>',
    '&lt;script&gt;',
    '\u202e<b>',
    '\u2069<',
  );
  const ownTags = new Set([...tags(debugLogPage(completeLog())), ...tags(debugLogPage(hostileLog('x')))]);
  fc.assert(
    fc.property(wicked, fc.string({ unit: 'binary', maxLength: 20 }), (text, more) => {
      const foreignTags = tags(debugLogPage(hostileLog(`${text}${more}`))).filter((tag) => !ownTags.has(tag));
      assert.deepEqual(foreignTags, []);
    }),
    { numRuns: 30 },
  );
});

test('text in the log cannot change the text direction of the page or hide characters', () => {
  const page = debugLogPage([jobLine(), consoleLine('a\u202eb\u2069c\u0007d\u009be\ud800f\rg')]);
  assert.match(page, /a\[U\+202E\]b\[U\+2069\]c␇d\[U\+009B\]e\[U\+D800\]f␍g/);
  assert.doesNotMatch(page, /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/);
});

test('the page of any log uses no scripts and no external resources', () => {
  for (const events of [[], completeLog(), [requestLine('https://a.example/x.png', {})]]) {
    const page = debugLogPage(events, links);
    assert.doesNotMatch(page, /<script|<link|<iframe|<object|url\(|@import|\bstyle=|\son\w+=/i);
    const sources = [...page.matchAll(/<[^>]*\s(?:src|href)="([^"]*)"/g)].map(([, source]) => source ?? '');
    for (const source of sources)
      assert.match(source, /^(#[\w-]+|abc\.(json|har|recipe\.json)|data:image\/png;base64,.*)$/);
    assert.match(page, /^<!doctype html>/);
  }
});

test('the CSP in the page and in the HTTP header allow only its style sheet and data: images', () => {
  const page = debugLogPage(completeLog());
  const style = /<style>([^]*?)<\/style>/.exec(page)?.[1] ?? '';
  const hash = `'sha256-${createHash('sha256').update(style).digest('base64')}'`;
  const inPage = /http-equiv="content-security-policy"\s+content="([^"]*)"/.exec(page)?.[1] ?? '';
  for (const policy of [inPage, logPagePolicy()]) {
    const directives = policy.split('; ');
    for (const directive of ["default-src 'none'", `style-src ${hash}`, 'img-src data:', "base-uri 'none'"])
      assert.ok(directives.includes(directive), `${directive} in ${policy}`);
    assert.doesNotMatch(policy, /unsafe|script-src/);
  }
  assert.match(logPagePolicy(), /frame-ancestors 'none'/);
});

test('the page of 10,000 events has less than 3 MB, and states how many events it omits', () => {
  const page = debugLogPage(hugeLog());
  assert.ok(page.length < 3_000_000, `${page.length} characters`);
  assert.match(plain(page), /4,609 more entries are in the JSON version of this log/);
});

test('a very long text is cut, with the number of omitted characters', () => {
  const page = debugLogPage([jobLine(), at(1, { kind: 'note', text: 'long '.repeat(100_000), detail: {} })]);
  assert.ok(page.length < 50_000, `${page.length} characters`);
  assert.match(page, /498000 more characters/);
});

/** Returns each tag with its attribute names and classes. */
function tags(html: string): string[] {
  return (html.match(/<(?:"[^"]*"|[^">])*>?/g) ?? []).map((tag) =>
    tag.replace(/ (aria-label|datetime|src|title|x|width|x1|x2)="[^"]*"/g, ' $1').replace(/\s+/g, ' '),
  );
}

/** Returns the text of the body, without the space that a tag leaves before punctuation. */
function plain(page: string): string {
  return textOf(page.slice(page.indexOf('<body>')))
    .replaceAll(' :', ':')
    .replaceAll(' .', '.');
}
