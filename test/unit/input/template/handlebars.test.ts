import assert from 'node:assert/strict';
import { test } from 'node:test';
import Handlebars from 'handlebars';
import { fill, notesOf, errorMessageOf } from './fill.ts';

const data = {
  number: 'R-1',
  date: '2026-03-05',
  total: 1234.5,
  zero: 0,
  none: null,
  empty: [],
  customer: { name: 'A & B <c>', tags: ['x', 'y'] },
  items: [
    { name: 'pen', price: 0.1 },
    { name: 'ink', price: 0.2 },
  ],
};

test('a Handlebars template gives the same result as in Handlebars itself', () => {
  const templates = [
    '{{number}} {{customer.name}} {{{customer.name}}} {{&customer.name}} {{customer/name}} {{customer.[name]}}',
    '{{#each items}}{{@index}}{{@first}}{{@last}}{{name}}{{../number}}{{@root.total}}{{/each}}',
    '{{#each items as |item i|}}{{i}}{{item.name}}{{#each ../customer.tags}}{{this}}{{@../index}}{{../name}}{{/each}}{{/each}}',
    '{{#each customer}}{{@key}}{{/each}} {{#each empty}}x{{else}}none{{/each}}',
    '{{#if zero}}a{{else if total}}b{{else}}c{{/if}}{{#if zero includeZero=true}}z{{/if}}{{#unless zero}}u{{/unless}}',
    '{{#with customer}}{{name}}{{../number}}{{#if ../total}}{{../number}}{{/if}}{{/with}}',
    '{{#with customer as |c|}}{{c.name}}{{/with}}{{#with none}}x{{else}}y{{/with}}',
    '{{#items}}{{name}},{{/items}}{{#customer}}{{name}}{{/customer}}{{^empty}}e{{/empty}}{{#number}}{{this}}{{/number}}',
    '  {{~number~}}  |\n{{#if total}}\n  line\n{{/if}}\n{{! comment }}{{!-- }} --}}end',
    '{{#*inline "row"}}<{{name}}{{sep}}>{{/inline}}{{#each items}}{{> row sep="!"}}{{/each}}{{> row customer sep="."}}',
    '{{#*inline "frame"}}[{{> @partial-block}}]{{/inline}}{{#> frame}}in {{number}}{{/frame}}',
    '{{customer.tags}} {{none}} {{customer.tags.length}} {{customer.tags.[1]}}',
  ];
  for (const template of templates)
    assert.equal(
      fill(template, { data: { ...data, sep: '' } }),
      Handlebars.compile(template)({ ...data, sep: '' }),
      template,
    );
});

test('a bare name is a value of the data, even if a function has that name', () => {
  assert.equal(fill('{{date}} {{number}} {{date date "dd.MM.yyyy"}}', { data }), '2026-03-05 R-1 05.03.2026');
});

test('functions work inline, nested, as conditions and as blocks', () => {
  assert.equal(fill('{{add 0.1 (multiply 2 0.1)}}', { data }), '0.3');
  assert.equal(fill('{{#if (and (gt total 1000) (eq number "R-1"))}}yes{{else}}no{{/if}}', { data }), 'yes');
  assert.equal(
    fill('{{#eq number "R-2"}}yes{{else}}no{{/eq}}{{#times 3}}{{@index}}{{/times}}', { data }),
    'no012',
  );
});

test('a missing value in a Handlebars template is an error that names it with its line and column', () => {
  assert.match(
    errorMessageOf('<p>\n  {{customer.vat}}</p>', { data }),
    /^The template is not valid at line 2, column 5: the data has no value 'customer\.vat'.*near '\{\{customer\.vat/,
  );
  for (const template of [
    '{{currency vat "EUR"}}',
    '{{#each vat}}{{/each}}',
    '{{add 1 (abs vat)}}',
    '{{eq vat 1}}',
  ])
    assert.match(errorMessageOf(template, { data }), /no value 'vat'/, template);
});

test('data_ignore_undefined makes a missing value empty, with a note', () => {
  const options = { data_ignore_undefined: true };
  assert.equal(
    fill('[{{customer.vat}}{{currency vat "EUR"}}{{#each vat}}x{{/each}}]', { data, options }),
    '[]',
  );
  assert.match(
    notesOf('\n{{customer.vat}}', { data, options }).join(),
    /no value 'customer\.vat' \(line 2\)/,
  );
});

test('a condition on a missing value is false, and default replaces the value, without an error in Handlebars', () => {
  const template =
    '{{#if vat}}a{{else}}b{{/if}}{{#unless vat}}c{{/unless}}{{default vat "d"}}{{#if (or vat total)}}e{{/if}}{{#with vat}}x{{else}}f{{/with}}{{^vat}}g{{/vat}}';
  assert.equal(fill(template, { data }), 'bcdefg');
});

test('null is not a missing value, and prints nothing', () => {
  assert.equal(fill('[{{none}}]', { data }), '[]');
});

test('an object or a list of objects cannot be printed', () => {
  assert.match(
    errorMessageOf('a {{customer}}', { data }),
    /line 1, column 5: an object \(name, tags\) cannot be printed/,
  );
  assert.match(errorMessageOf('{{items}}', { data }), /a list of objects or lists cannot be printed/);
});

test('an invalid Handlebars template is refused with line and column', () => {
  assert.match(errorMessageOf('a\n{{#if a}}\n{{/each}}'), /line 2, column 4: if doesn't match each/);
  assert.match(
    errorMessageOf('{{#if a}}\nxx'),
    /line 2, column 3: the end of the template is not expected here/,
  );
  assert.match(errorMessageOf('x\n {{ a | upper }}'), /line 2, column 7: .*template_engine=jinja/);
  assert.match(errorMessageOf('{{nope 1}}'), /line 1, column 3: there is no function 'nope'/);
  assert.match(errorMessageOf('{{> other}}'), /there is no partial 'other'/);
});

test('data_variable_markers is ignored with a note, because Handlebars has no other markers', () => {
  const options = { template_engine: 'handlebars', data_variable_markers: 'square' } as const;
  assert.equal(fill('{{number}} [[number]]', { data, options }), 'R-1 [[number]]');
  assert.match(notesOf('{{number}}', { data, options }).join(), /data_variable_markers was ignored/);
  assert.doesNotMatch(notesOf('{{number}}', { data }).join(), /ignored/);
});

test('data_auto_escape=false prints values without escaping them', () => {
  assert.equal(fill('{{customer.name}}', { data, options: { data_auto_escape: false } }), 'A & B <c>');
});

test('a note about a missing value contains only the beginning of its name', () => {
  const template = '{{lookup o (padStart "" 100000)}}';
  const options = { template_engine: 'handlebars', data_ignore_undefined: true } as const;
  const notes = notesOf(template, { data: { o: {} }, options });
  assert.ok(
    notes.length > 0 && notes.every(({ length }) => length < 500),
    String(notes.map(({ length }) => length)),
  );
});
