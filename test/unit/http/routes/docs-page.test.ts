import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { catalogue } from '../../../../main/failure/catalogue.ts';
import { docsPage, docsPolicy } from '../../../../main/http/routes/docs-page.ts';
import { optionNames, table, type OptionRow } from '../../../../main/job/options.ts';

const page = docsPage('https://office.example:8443');

/** The visible text of the page. */
const visibleText = page
  .replace(/<style>.*?<\/style>/s, '')
  .replace(/<[^>]*>/g, '')
  .replace(
    /&(lt|gt|quot|#39|amp);/g,
    (_, name: string) => ({ lt: '<', gt: '>', quot: '"', '#39': "'" })[name] ?? '&',
  );

test('/docs lists every option with its values, default and description', () => {
  for (const name of optionNames) {
    const row: OptionRow = table[name];
    assert.ok(page.includes(`<code>${name}</code>`), name);
    for (const part of [row.kind.allowed, row.description, row.default ?? ''])
      assert.ok(visibleText.includes(part), `${name}: ${part}`);
  }
});

test('/docs shows an example call to the URL of the page', () => {
  assert.ok(visibleText.includes('-o hello.pdf https://office.example:8443/convert/24.04/'));
});

test('/docs explains why an option has no effect', () => {
  const reasons = optionNames
    .map((name): OptionRow => table[name])
    .flatMap(({ noEffectReason = [] }) => noEffectReason);
  assert.ok(reasons.length > 0);
  for (const why of reasons) assert.ok(visibleText.includes(`Accepted, without effect: ${why}.`), why);
});

test('/docs lists every failure with its cause and remedy', () => {
  for (const { status, reason, when, remedy } of Object.values(catalogue)) {
    for (const part of [`${status}.${reason}`, when, remedy]) assert.ok(visibleText.includes(part), part);
  }
});

test('/docs needs no script and loads nothing', () => {
  assert.doesNotMatch(page, /<script|<link|<img|\bsrc=|url\(|@import|href="(?!\/)/i);
});

test('/docs closes every element that it opens', () => {
  const names = [...page.matchAll(/<(\/?)([a-z][a-z0-9]*)\b/g)].map(
    ([, slash = '', name = '']) => `${slash}${name}`,
  );
  for (const name of [
    'table',
    'tr',
    'td',
    'th',
    'code',
    'pre',
    'a',
    'small',
    'em',
    'h1',
    'h2',
    'h3',
    'html',
    'p',
  ]) {
    const [opened, closed] = [name, `/${name}`].map(
      (tag) => names.filter((candidate) => candidate === tag).length,
    );
    assert.equal(opened, closed, name);
  }
});

test('/docs has a content security policy that allows only its own style sheet', () => {
  const sheets = [...page.matchAll(/<style>(.*?)<\/style>/gs)].map(([, sheet = '']) => sheet);
  assert.equal(sheets.length, 1);
  const hash = createHash('sha256')
    .update(sheets[0] ?? '')
    .digest('base64');
  assert.match(docsPolicy, /^default-src 'none';/);
  assert.ok(docsPolicy.endsWith(`; style-src 'sha256-${hash}'`));
  assert.doesNotMatch(page, /<script| style=| on\w+=/);
});
