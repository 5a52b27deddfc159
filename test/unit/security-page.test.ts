/** Checks that docs/security.md matches the code. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { table, type SettingRow } from '../../main/settings/table.ts';

const project = fileURLToPath(new URL('../..', import.meta.url));
const page = readFileSync(join(project, 'docs', 'security.md'), 'utf8');

test('every limit on the security page is a setting with that default', () => {
  const rows = [...page.matchAll(/^\| `([a-z-]+)` +\| (.+?) +\|/gm)];
  assert.ok(rows.length > 20, 'the page has rows');
  const settings: Readonly<Record<string, SettingRow>> = table;
  for (const [, name = '', shown] of rows) {
    const row = settings[name];
    assert.ok(row !== undefined, `${name} is not a setting`);
    assert.equal(shown, row.defaultDescription ?? `\`${row.default ?? ''}\``, name);
  }
});

test('every file that the security page names and every page that it links to exists', () => {
  const files = [...page.matchAll(/`((?:main|test|build)\/[^`]+|eslint\.config\.js)`/g)].map(
    ([, name]) => name ?? '',
  );
  const links = [...page.matchAll(/\]\(([^):]+\.md)\)/g)].map(([, name]) => join('docs', name ?? ''));
  assert.ok(files.length > 30 && links.length > 5, 'the page has files and links');
  assert.deepEqual(
    [...files, ...links].filter((name) => !existsSync(join(project, name))),
    [],
  );
});

/** Returns the text below a heading of the second level. */
const section = (heading: string) =>
  page.split(/^## /m).find((text) => text.startsWith(`${heading}\n`)) ?? '';
/** Electron's first point, which is not followed, promises nothing. */
const isPromise = (item: string) => !item.includes('**Not followed, on purpose**');
const namedTests = (item: string) => [
  ...(/Tests: (.*)\.$/s.exec(item.trim())?.[1] ?? '').matchAll(/`(test\/[^`]+\.ts)`/g),
];

test('every promise of the security page names a test that proves it', () => {
  const listed = ['Threats and protections', 'Electron'].flatMap((heading) => {
    const items = section(heading)
      .split(/^- (?=\*\*)/m)
      .slice(1);
    // A heading or a paragraph ends the last item of a list.
    return items.map((item) => item.split(/\n\n/)[0] ?? '');
  });
  assert.ok(listed.length > 35, `${listed.length} items`);
  const sections = ['Limits', 'Data folder'].flatMap(
    (heading) => /^Tests: .*?\.$/ms.exec(section(heading)) ?? [''],
  );
  const unproven = [...listed.filter(isPromise), ...sections].filter((item) => namedTests(item).length === 0);
  assert.deepEqual(unproven, []);
});

test("the security page lists all twenty points of Electron's security guide", () => {
  const numbers = [...page.matchAll(/^- \*\*(\d+)\. /gm)].map(([, number]) => Number(number));
  assert.deepEqual(
    numbers,
    Array.from({ length: 20 }, (_, index) => index + 1),
  );
});
