/** The editor compares the names in a template with the data. Its result must agree with the service. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { functions } from '../../../../main/input/template/functions/table.ts';
import { render } from '../../../../main/input/template/render.ts';
import { defaultLimits } from '../../../../main/input/template/fill-template.ts';
import { optionalValueFunctions } from '../../../../renderer/call/template/handlebars-uses.ts';
import { compareWithData, addMissing } from '../../../../renderer/call/template/template-names.ts';

describe('the check of a Handlebars template', () => {
  missing('a member of an object', '{{customer.name}} {{customer.vat}}', '{"customer":{"name":"A"}}', [
    'customer.vat',
  ]);
  missing('a value of a list', '{{#each items}}{{name}} {{price}}{{/each}}', '{"items":[{"name":"Pen"}]}', [
    'items[].price',
  ]);
  missing('the values of a missing list', '{{#each items}}{{name}}{{/each}}', '{}', ['items[].name']);
  missing('a value outside its loop', '{{#each a}}{{../b}}{{@index}}{{@root.c}}{{/each}}', '{"a":[1]}', [
    'b',
    'c',
  ]);
  missing('an argument of a function', '{{currency total "EUR" digits=n}}', '{"total":1}', ['n']);
  missing('a value of a block parameter', '{{#each a as |row|}}{{row.x}}{{/each}}', '{"a":[{}]}', ['a[].x']);
  missing('a compared value', '{{#if (eq a b)}}{{/if}}', '{"a":1}', ['b']);
  missing('a name in square brackets', '{{[first name]}} {{a.[b c]}}', '{"a":{}}', ['first name', 'a.b c']);
  missing('a value in a block that changes the context', '{{#with a}}{{x}}{{../y}}{{/with}}', '{"a":{}}', [
    'a.x',
    'y',
  ]);
  missing('a value used in an {{else}}', '{{#each a}}{{x}}{{else}}{{y}}{{/each}}', '{"a":[]}', ['y']);
  missing('a value in a section of an object', '{{#a}}{{x}}{{/a}}', '{"a":{"z":1}}', ['a.x']);

  complete('a value behind a condition', '{{#if a}}{{a}}{{a.b}}{{/if}}', '{}');
  complete('a default', '{{default a "none"}}{{or b "x"}}{{#unless c}}no{{/unless}}', '{}');
  complete('a loop with an {{else}}', '{{#each a}}{{x}}{{else}}none{{/each}}', '{}');
  complete('a section', '{{#a}}{{x}}{{/a}}{{^b}}no{{/b}}', '{"x":1}');
  complete('null', '{{a}}', '{"a":null}');
  complete('comments, escaped tags and texts', '{{! a }}{{!-- {{b}} --}}\\{{c}}{{upper "d"}}', '{}');
  complete('the members of a list', '{{#each a}}{{this}}{{@key}}{{/each}}', '{"a":["x"]}');
  complete('a list without a name', '{{#each data}}{{n}}{{/each}}', '[{"n":1}]');
  complete('a length', '{{a.length}}', '{"a":[1]}');
});

describe('the check of a Jinja template', () => {
  missing('a member of an object', '{% if 1 %}{{ a.b }}{% endif %}', '{"a":{}}', ['a.b']);
  missing(
    'a value of a list',
    '{% for i in items %}{{ i.n }}{{ i["p"] }}{% endfor %}',
    '{"items":[{"n":1}]}',
    ['items[].p'],
  );
  missing(
    'a value of a sorted list',
    '{% for i in a|sort("n") %}{{ i.n }}{{ i.q }}{% endfor %}',
    '{"a":[{"n":1}]}',
    ['a[].q'],
  );
  missing(
    'a value of a variable set in the template',
    '{% set c = customer %}{{ c.vat }}',
    '{"customer":{}}',
    ['customer.vat'],
  );
  missing('an argument of a filter', '{% if 1 %}{{ a|round(digits) }}{% endif %}', '{"a":1}', ['digits']);
  missing('a compared value', '{% if a == b %}{% endif %}', '{"a":1}', ['b']);

  complete('a value behind a condition', '{% if a %}{{ a.b }}{% endif %}{{ b if b else "" }}', '{}');
  complete('a default', '{% if 1 %}{{ a|default("x") }}{{ b or "y" }}{% endif %}', '{}');
  complete('a test', '{% if a is defined %}{{ a }}{% endif %}', '{}');
  complete(
    'loops, macros and their names',
    '{% macro m(x, y=1) %}{{ x }}{{ y }}{% endmacro %}{{ m(2) }}{% for k, v in a %}{{ k }}{{ v }}{{ loop.index }}{% endfor %}',
    '{"a":{"b":1}}',
  );
  complete('a raw block', '{% raw %}{{ a }}{% endraw %}{# {{ b }} #}', '{}');
});

describe('data that the template does not use', () => {
  const unused = (template: string, data: string) =>
    compareWithData({ template, data })?.unused.map(({ from, to }) => data.slice(from, to));

  test('is reported as its outermost part', () => {
    assert.deepEqual(unused('{{a.b}}', '{"a": {"b": 1, "c": 2}, "d": {"e": 3}}'), [
      '"c": 2',
      '"d": {"e": 3}',
    ]);
  });
  test('is reported in every member of a list', () => {
    assert.deepEqual(unused('{{#each a}}{{x}}{{/each}}', '{"a": [{"x": 1, "y": 2}, {"y": 3}]}'), [
      '"y": 2',
      '"y": 3',
    ]);
  });
  test('does not include arguments of functions', () => {
    assert.deepEqual(unused('{{sum a "x"}}{{{json b}}}', '{"a": [{"x": 1}], "b": {"c": 1}}'), []);
  });
  test('does not include values that a macro may print', () => {
    const template = '{% macro row(i) %}{{ i.x }}{% endmacro %}{% for i in a %}{{ row(i) }}{% endfor %}';
    assert.deepEqual(unused(template, '{"a": [{"x": 1}]}'), []);
  });
});

describe('adding the missing values', () => {
  const filled = (template: string, data: string) =>
    addMissing(data, compareWithData({ template, data })?.missing ?? []);

  test('keeps the existing data and leaves no value missing', () => {
    const template = '{{a.b}}{{c}}{{#each d}}{{e}}{{f.g}}{{/each}}{{#each h}}{{i}}{{/each}}';
    const text = filled(template, '{\n  "c": 1.50,\n  "d": [{"e": 1}, {"f": {}}]\n}');
    assert.match(text, /"c": 1\.50/);
    assert.deepEqual(JSON.parse(text), {
      c: 1.5,
      a: { b: '' },
      h: [{ i: '' }],
      d: [
        { e: 1, f: { g: '' } },
        { f: { g: '' }, e: '' },
      ],
    });
    assert.deepEqual(compareWithData({ template, data: text })?.missing, []);
  });
  test('creates an object if the data is empty', () => {
    assert.deepEqual(JSON.parse(filled('{{a}}', '')), { a: '' });
  });
  test('works for a top-level list', () => {
    assert.deepEqual(JSON.parse(filled('{{#each data}}{{n}}{{/each}}', '[{}]')), [{ n: '' }]);
  });
});

test('data that is not JSON gets no report', () => {
  assert.equal(compareWithData({ template: '{{a}}', data: 'a: 1' }), undefined);
});

test('a missing value is marked wherever the template uses it', () => {
  const template = '<p>{{ a.b }} and {{#if 1}}{{a.b}}{{/if}}';
  const places = compareWithData({ template, data: '{}' })?.missing[0]?.ranges ?? [];
  assert.deepEqual(
    places.map(({ from, to }) => template.slice(from, to)),
    ['a.b', 'a.b'],
  );
});

test('an unfinished template does not throw', () => {
  for (const template of [
    '{{',
    '{{#each',
    '{{#each a}}{{b',
    '{% for',
    '{% if a %}{{ b.',
    '{{/if}}{{else}}',
    '{{#}}',
  ])
    assert.doesNotThrow(() => compareWithData({ template, data: '{}' }), template);
});

test('the editor and the service agree on the functions that accept missing values', () => {
  const accepting = [...functions].filter(([, { acceptsMissing }]) => acceptsMissing).map(([name]) => name);
  assert.deepEqual([...optionalValueFunctions].sort(), accepting.sort());
});

/** Tests that the editor reports these names as missing, and that the service also reports a missing value. */
function missing(what: string, template: string, ...[data, names]: [string, string[]]): void {
  test(`reports that the data lacks ${what}`, () => {
    assert.deepEqual(
      compareWithData({ template, data })?.missing.map(({ name }) => name),
      names,
    );
    assert.match(messageFor(template, data) ?? '', /the data has no value/);
  });
}

/** Tests that the editor reports nothing as missing, and that the service fills the template. */
function complete(what: string, template: string, data: string): void {
  test(`reports nothing for ${what}`, () => {
    assert.deepEqual(compareWithData({ template, data })?.missing, []);
    assert.equal(messageFor(template, data), undefined);
  });
}

function messageFor(template: string, data: string): string | undefined {
  const answer = render({
    template,
    data: Buffer.from(data),
    limits: defaultLimits,
    options: {
      template_engine: 'auto',
      data_format: 'json',
      data_encoding: 'utf-8',
      data_ignore_undefined: false,
      data_trim_blocks: false,
      data_variable_markers: 'standard',
      locale: 'en-US',
    },
  });
  return answer.kind === 'problem' ? answer.message : undefined;
}
