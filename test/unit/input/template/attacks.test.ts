import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fill, errorMessageOf } from './fill.ts';

const data = { a: { b: 1 }, text: 'x', list: [1] };

test('no path in a Handlebars template reaches anything outside the data', () => {
  const names = [
    'constructor',
    '__proto__',
    'prototype',
    'toString',
    'hasOwnProperty',
    '__defineGetter__',
    'valueOf',
  ];
  for (const name of names) {
    for (const path of [
      name,
      `a.${name}`,
      `text.${name}`,
      `list.${name}`,
      `a.[${name}]`,
      `this.${name}`,
      `@root.${name}`,
    ])
      assert.match(errorMessageOf(`{{${path}}}`, { data }), /has no value/, path);
    for (const call of [
      `lookup a "${name}"`,
      `lookup text "${name}"`,
      `lookup (lookup this "${name}") "name"`,
      `sum list "${name}"`,
    ])
      assert.match(errorMessageOf(`{{${call}}}`, { data }), /has no/, call);
    assert.match(errorMessageOf(`{{${name} "x"}}`, { data }), /there is no function/, name);
  }
});

test('no expression in a Jinja template reaches anything outside the data', () => {
  const names = ['constructor', '__proto__', 'prototype', 'toString', '__class__', '__globals__'];
  for (const name of names) {
    const expressions = [
      name,
      `a.${name}`,
      `a["${name}"]`,
      `"".${name}`,
      `"".${name}.${name}("return process")()`,
      `[].${name}`,
      `range.${name}`,
      `range(1).${name}`,
      `m.${name}`,
      `cycler.${name}`,
      `loop.${name}`,
      `list|map(attribute="${name}")`,
      `list|groupby("${name}")`,
      `a|attr("${name}")`,
      `namespace(x=1).${name}`,
    ];
    for (const expression of expressions) {
      const template = `{% macro m() %}{% endmacro %}{% for i in list %}{{ ${expression} }}{% endfor %}`;
      assert.match(
        errorMessageOf(template, { data }),
        /has no|there is no function|cannot be (called|printed)/,
        expression,
      );
    }
  }
});

test('keys such as __proto__ and constructor are ordinary keys, and change no prototype', () => {
  const json = '{"__proto__": {"polluted": "x"}, "constructor": {"prototype": {"polluted": "y"}}, "b": 1}';
  assert.equal(fill('{{constructor.prototype.polluted}}{{b}}', { data: json }), 'y1');
  const others = [
    '__proto__:\n  polluted: 1\nb: 1',
    '__proto__,b\nx,1',
    '{"a": {"__proto__": {"polluted": 1}}}',
  ];
  for (const text of others) {
    fill('{{#each this}}{{@key}}{{/each}}{{json this}}', { data: text });
    assert.equal(({} as { polluted?: unknown }).polluted, undefined, text);
  }
  errorMessageOf('{{polluted}}', { data: '{"__proto__": {"polluted": 1}}' });
});

test('XML document types and excessive YAML aliases are refused', () => {
  assert.match(
    errorMessageOf('x', { data: '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>' }),
    /a document type is not allowed/,
  );
  const laughs = ['a: &a [x,x,x,x,x,x,x,x,x,x]'];
  for (let index = 1; index < 9; index += 1) {
    const previous = 'abcdefghij'[index - 1] ?? '';
    const next = 'abcdefghij'[index] ?? '';
    laughs.push(`${next}: &${next} [${Array<string>(10).fill(`*${previous}`).join(',')}]`);
  }
  assert.match(errorMessageOf('x', { data: laughs.join('\n') }), /excessive alias count/);
});

test('strings and lists that would fill the memory are refused before they are built', () => {
  const templates = [
    '{% set a = "xxxxxxxxxxxxxxxx" %}{% for i in range(60) %}{% set a = a ~ a %}{% endfor %}',
    '{% set a = [1] %}{% for i in range(60) %}{% set a = a + a %}{% endfor %}',
    '{{ range(1000000000) }}{% set x = 1 %}',
    '{{padStart "x" 1000000000}}',
    '{{replace (padStart "x" 1000000) " " (padStart "x" 1000000)}}',
    '{{#times 1000000000}}x{{/times}}',
  ];
  for (const template of templates)
    assert.match(
      errorMessageOf(template),
      /would be a (string|list) of more than \d+ (characters|members)/,
      template,
    );
});

test('captures that are open at the same time count together against the output limit', () => {
  const big = 'x'.repeat(100_000);
  const limits = { outputBytes: 1_000_000 };
  const nested = (levels: number) =>
    `{% macro m(n) %}{{ big }}{% if n > 0 %}{% set inner = m(n - 1) %}{% endif %}{% endmacro %}{{ m(${levels}) }}`;
  assert.match(
    errorMessageOf(nested(190), { data: { big }, limits }),
    /the output is larger than 1000000 bytes, the limit/,
  );
  assert.equal(fill(nested(9), { data: { big }, limits }), big);
  const oneAfterAnother = '{% for i in range(50) %}{% set block %}{{ big }}{% endset %}{% endfor %}{{ big }}';
  assert.equal(fill(oneAfterAnother, { data: { big }, limits }), big);
});

test('endless recursion and excessive nesting are refused', () => {
  assert.match(errorMessageOf('{% macro r() %}{{ r() }}{% endmacro %}{{ r() }}'), /nested/);
  assert.match(errorMessageOf('{{#*inline "r"}}{{> r}}{{/inline}}{{> r}}'), /nested/);
  assert.match(errorMessageOf('{{a}}', { data: '['.repeat(200_000) }), /nested too deeply|not valid JSON/);
  assert.match(errorMessageOf(`{{ ${'('.repeat(50_000)} }}{% set x = 1 %}`), /nested too deeply/);
});

test('regular expressions, which could run for hours, are refused', () => {
  assert.match(
    errorMessageOf('{% set x = "a"|replace(r/(a+)+$/g, "") %}'),
    /regular expressions are not supported/,
  );
});
