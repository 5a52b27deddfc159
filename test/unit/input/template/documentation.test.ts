/** Runs every example of docs/templates.md. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { functions } from '../../../../main/input/template/functions/table.ts';
import { fill, errorMessageOf } from './fill.ts';

const page = readFileSync(new URL('../../../../docs/templates.md', import.meta.url), 'utf8');
const fences = [...page.matchAll(/^```(\w+)( functions)?\n([\s\S]*?)^```$/gm)].map(
  ([, language = '', forFunctions, body = '']) => ({ language, forFunctions, body }),
);
const sharedData = fences.find(({ forFunctions }) => forFunctions !== undefined)?.body;

test('each template in docs/templates.md gives the documented result', () => {
  const templates = fences.flatMap((fence, index) =>
    /^(handlebars|jinja)$/.test(fence.language)
      ? [{ fence, data: fences[index + 1], result: fences[index + 2] }]
      : [],
  );
  assert.ok(templates.length >= 6);
  for (const { fence, data, result } of templates) {
    assert.ok(data !== undefined && result !== undefined);
    if (result.language === 'error') {
      assert.equal(errorMessageOf(fence.body, { data: data.body }), result.body.trim());
    } else {
      assert.equal(withoutTagSpaces(fill(fence.body, { data: data.body })), withoutTagSpaces(result.body));
    }
  }
});

test('each row of the tables in docs/templates.md has the documented result in both languages', () => {
  const rows = [...page.matchAll(/^\| `(.+?)` +\| `(.+?)` +\| `(.+?)` +\|$/gm)];
  assert.ok(rows.length > 50);
  for (const [, handlebars = '', jinja = '', printed = ''] of rows) {
    for (const [engine, cell] of [
      ['handlebars', handlebars],
      ['jinja', jinja],
    ] as const) {
      const template = cell.replaceAll('\\|', '|');
      assert.equal(
        spaces(fill(template, { data: sharedData, options: { template_engine: engine } })),
        printed,
        template,
      );
    }
  }
});

test('each template function is in docs/templates.md', () => {
  const aliases = ['d', 'e', 'dump', 'uppercase', 'lowercase', 'lte', 'gte', 'list'];
  const missing = [...functions.keys()].filter(
    (name) => !aliases.includes(name) && !new RegExp(`\\b${name}\\b`).test(page),
  );
  assert.deepEqual(missing, []);
});

/** Replaces the no-break spaces that Intl writes with plain spaces, as in the page. */
function spaces(text: string): string {
  return text.replace(/[\u00a0\u202f]/g, ' ');
}

/** Removes whitespace around tags, which has no meaning in these examples. */
function withoutTagSpaces(html: string): string {
  return spaces(html)
    .trim()
    .replace(/\s*(<[^>]+>)\s*/g, '$1');
}
