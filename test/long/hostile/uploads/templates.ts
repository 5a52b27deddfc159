/** Hostile templates and data: access to the machine, prototype pollution, unlimited time and memory. */
import { htmlFile } from '../../../support/service/convert.ts';
import type { HostileUpload } from './upload.ts';

const some = '{"a":{"b":1},"list":[1]}';

const filled = (what: string, template: string, expected: RegExp): HostileUpload => ({
  what: `a template with ${what}`,
  fields: () => ({ text: template, data_string: some }),
  expected,
});

const templates: readonly HostileUpload[] = [
  filled('the constructor', '{{constructor.constructor "return process"}}', /^400\.313 - /),
  filled(
    'access to constructors by lookup',
    '{{lookup (lookup a "constructor") "constructor"}}',
    /^400\.313 - .*has no/,
  ),
  filled('__proto__', '<p>{{a.__proto__.b}}', /^400\.313 - .*has no value/),
  filled(
    'Python attributes such as __class__',
    "{% set x = ''.__class__.__mro__[1].__subclasses__() %}{{ x }}",
    /^400\.313 - .*has no/,
  ),
  filled('a call of range.constructor', '{{ range.constructor("return process")() }}', /^400\.313 - /),
  filled(
    'cycler.__init__.__globals__',
    '{% if 1 %}{{ cycler.__init__.__globals__.os }}{% endif %}',
    /^400\.313 - /,
  ),
  filled('an include of a file', '{% include "/etc/passwd" %}', /^400\.313 - /),
  filled('an import of a file', '{% import "file:///etc/passwd" as x %}{{ x }}', /^400\.313 - /),
  filled('a partial by a path', '{{> ../../../../etc/passwd}}', /^400\.313 - /),
  filled(
    'a string that doubles endlessly',
    '{% set a = "xxxxxxxx" %}{% for i in range(60) %}{% set a = a ~ a %}{% endfor %}',
    /^400\.313 - .*would be a (string|list) of more than/,
  ),
  filled(
    'a list of 1,000,000,000',
    '{{ range(1000000000) }}{% set x = 1 %}',
    /^400\.313 - .*would be a (string|list) of more than/,
  ),
  filled(
    'a macro that calls itself',
    '{% macro r() %}{{ r() }}{% endmacro %}{{ r() }}',
    /^400\.313 - .*nested/,
  ),
  filled(
    'a partial that includes itself',
    '{{#*inline "r"}}{{> r}}{{/inline}}{{> r}}',
    /^400\.313 - .*nested/,
  ),
  filled(
    'a regular expression that runs for hours',
    '{% set x = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!"|replace(r/(a+)+$/g, "") %}',
    /^400\.313 - .*regular expressions/,
  ),
  filled('50,000 brackets', `{{ ${'('.repeat(50_000)} }}{% set x = 1 %}`, /^400\.313 - .*nested too deeply/),
  filled('a name of a megabyte', `{{${'a'.repeat(1_000_000)}}}`, /^400\.313 - /),
  filled('a partial with a name of a megabyte', `{{> ${'a'.repeat(1_000_000)}}}`, /^400\.313 - .*no partial/),
];

const read = (what: string, data_string: string, expected: RegExp): HostileUpload => ({
  what: `data of ${what}`,
  fields: () => ({ text: '<p>end{{#each this}}{{/each}}', data_string }),
  expected,
});

/** YAML in which each level contains the previous level ten times. */
const laughs = ['a: &a [x,x,x,x,x,x,x,x,x,x]'];
for (const [name, nextName] of ['ab', 'bc', 'cd', 'de', 'ef', 'fg', 'gh', 'hi', 'ij'].map(
  ([...pair]) => pair,
))
  laughs.push(`${nextName}: &${nextName} [${Array<string>(10).fill(`*${name}`).join(',')}]`);

const data: readonly HostileUpload[] = [
  read('YAML with exponential aliases', laughs.join('\n'), /^400\.313 - .*alias/),
  read(
    'YAML with a function tag',
    'a: !!js/function "function () { return process }"',
    /^400\.313 - .*unresolved tag/,
  ),
  read(
    'XML with exponential entities',
    `<!DOCTYPE a [<!ENTITY a "ha">${'bcdefghij'
      .split('')
      .map((name, at) => `<!ENTITY ${name} "${`&${'abcdefghij'[at] ?? ''};`.repeat(10)}">`)
      .join('')}]><a>&j;</a>`,
    /^400\.313 - .*document type/,
  ),
  read(
    'XML with a file as entity',
    '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>',
    /^400\.313 - .*document type/,
  ),
  read(
    'XML with a remote entity',
    '<!DOCTYPE a [<!ENTITY % x SYSTEM "http://127.0.0.1:9/x.dtd">%x;]><a/>',
    /^400\.313 - .*document type/,
  ),
  read('XML 100,000 elements deep', '<a>'.repeat(100_000), /^400\.313 - /),
  read('JSON 200,000 lists deep', '['.repeat(200_000), /^400\.313 - /),
  read('complete JSON 200,000 lists deep', '['.repeat(200_000) + ']'.repeat(200_000), /^converted: end/),
  read(
    'JSON that names prototypes',
    '{"__proto__":{"x":1},"constructor":{"prototype":{"x":1}}}',
    /^converted: end/,
  ),
  read('CSV with a cell of 20 MB', `a,b\n"${'x'.repeat(20_000_000)}",1\n`, /^converted: end/),
  read(
    'CSV with 20,000 columns of one name',
    `${'a,'.repeat(20_000)}a\n${'1,'.repeat(20_000)}1\n`,
    /^converted: end/,
  ),
  read('CSV whose quote is never closed', `a,b\n"${'x,y\n'.repeat(500_000)}`, /^400\.313 - /),
  {
    what: 'a binary data file',
    fields: () => ({ text: '<p>{{a}}', data_file: htmlFile(new Uint8Array(1_000_000).fill(255), 'a.json') }),
    expected: /^400\.313 - /,
  },
];

export const fillings = [...templates, ...data];
