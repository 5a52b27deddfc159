/** Generates templates from the grammars of both engines, data for them, and invalid templates. */
import fc from 'fast-check';
import { functions } from '../../../../main/input/template/functions/table.ts';

export interface TemplateGeneratorOptions {
  /** Omits all functions and filters that mark a string as safe HTML. */
  readonly escaped: boolean;
}

const ownNames = ['a', 'b', 'items', 'name', 'text', 'x'] as const;
const inherited = [
  'constructor',
  '__proto__',
  'prototype',
  'toString',
  'length',
  'valueOf',
  'hasOwnProperty',
  '__defineGetter__',
  'values',
  'run',
] as const;
const keys = fc.constantFrom(...ownNames, ...ownNames, ...inherited);

/** Texts that are dangerous in HTML unless they are escaped. */
const hostile = fc.constantFrom('<script>', '</p>', '<', '&lt;<', '\'<"', 'a<b', '\ud800<');

const scalar = fc.oneof(
  hostile,
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.boolean(),
  fc.constant(null),
  fc.constantFrom('', '2026-03-05', '12.5', 'de-DE'),
);

/** JSON: an object with the names that the templates use, mostly with hostile values. */
export const data: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    scalar,
    fc.array(tie('value'), { maxLength: 4 }),
    tie('object'),
  ),
  object: fc.dictionary(keys, tie('value'), { maxKeys: 7 }),
  whole: fc
    .tuple(hostile, fc.array(hostile, { minLength: 1, maxLength: 3 }), tie('value'), tie('object'))
    .map(([a, items, b, rest]) => ({ a, b, name: a, text: a, items, x: items, ...(rest as object) })),
})).whole;

const names = fc.constantFrom(...functions.keys());
const plainNames = names.filter((name) => name !== 'safe');
/** Functions that return a string for any string or list of strings. */
const textNames = fc.constantFrom(
  'upper',
  'lower',
  'trim',
  'title',
  'capitalize',
  'concat',
  'string',
  'escape',
  'nl2br',
  'default',
  'first',
  'last',
  'join',
  'reverse',
  'sort',
  'unique',
  'list',
  'tojson',
  'wordcount',
  'padEnd',
);
const texts = fc.constantFrom(...ownNames);
const literal = fc.oneof(
  fc.integer({ min: -5, max: 40 }).map(String),
  fc.constantFrom(
    '"x"',
    "'y'",
    '""',
    '"a"',
    '"EUR"',
    '"yyyy-MM-dd"',
    '"&lt;"',
    '0.5',
    'true',
    'false',
    '","',
  ),
);

/** Generates Handlebars templates. */
export function handlebars({ escaped }: TemplateGeneratorOptions): fc.Arbitrary<string> {
  const called = escaped ? plainNames : names;
  return fc.letrec<Record<'path' | 'value' | 'call' | 'node' | 'nodes', string>>((tie) => ({
    path: fc.oneof(
      keys,
      fc.tuple(keys, keys).map((parts) => parts.join('.')),
      keys.map((key) => `this.[${key}]`),
      keys.map((key) => `../${key}`),
      fc.constantFrom('this', '@index', '@root', '@key', '@root.items', '..'),
    ),
    call: fc
      .tuple(called, fc.array(tie('value'), { maxLength: 3 }), fc.option(fc.tuple(keys, tie('value'))))
      .map(([name, args, named]) => [name, ...args, ...(named ? [named.join('=')] : [])].join(' ')),
    value: fc.oneof(
      { maxDepth: 3, depthIdentifier: 'value' },
      tie('path'),
      literal,
      tie('call').map((call) => `(${call})`),
    ),
    node: fc.oneof(
      { maxDepth: 3, depthIdentifier: 'node' },
      fc.constantFrom('text ', '\n', 'ü'),
      tie('path').map((path) => `{{${path}}}`),
      tie('call').map((call) => `{{${call}}}`),
      fc.tuple(textNames, textNames, texts, texts).map(([f, g, a, b]) => `{{${f} (${g} ${a}) ${b}}}`),
      ...(escaped ? [] : [tie('value').map((value) => `{{{${value}}}}`)]),
      fc
        .tuple(
          fc.constantFrom('each', 'if', 'with', 'unless', 'times'),
          tie('value'),
          tie('nodes'),
          tie('nodes'),
        )
        .map(
          ([block, value, body, alternative]) =>
            `{{#${block} ${value}}}${body}{{else}}${alternative}{{/${block}}}`,
        ),
      fc.tuple(keys, tie('nodes')).map(([key, body]) => `{{#${key}}}${body}{{/${key}}}`),
      fc
        .tuple(keys, tie('nodes'), tie('path'))
        .map(([key, body, path]) => `{{#*inline "${key}"}}${body}{{/inline}}{{> ${key} ${path}}}`),
    ),
    nodes: fc.array(tie('node'), { maxLength: 3 }).map((nodes) => nodes.join('')),
  })).nodes;
}

/** Generates Jinja templates. */
export function jinja({ escaped }: TemplateGeneratorOptions): fc.Arbitrary<string> {
  const called = escaped ? plainNames : names;
  const infix = fc.constantFrom('+', '-', '*', '/', '//', '%', '~', '==', '<=', 'in', 'and', 'or', '**');
  return fc.letrec<Record<'value' | 'node' | 'nodes', string>>((tie) => ({
    value: fc.oneof(
      { maxDepth: 3, depthIdentifier: 'value' },
      keys,
      literal,
      fc.tuple(tie('value'), keys).map(([value, key]) => `${value}.${key}`),
      fc.tuple(tie('value'), tie('value')).map(([value, key]) => `${value}[${key}]`),
      fc
        .tuple(tie('value'), called, fc.array(tie('value'), { maxLength: 2 }))
        .map(([value, name, args]) => `${value}|${name}(${args.join(', ')})`),
      fc.tuple(called, tie('value')).map(([name, value]) => `${name}(${value})`),
      fc.tuple(tie('value'), infix, tie('value')).map((parts) => `(${parts.join(' ')})`),
      fc.tuple(tie('value'), keys).map(([value, key]) => `${value}.${key}(${key})`),
      fc.array(tie('value'), { maxLength: 3 }).map((values) => `[${values.join(', ')}]`),
      fc.tuple(keys, tie('value')).map(([key, value]) => `{"${key}": ${value}}`),
      fc.tuple(tie('value'), tie('value')).map(([value, condition]) => `(${value} if ${condition} else x)`),
      fc.constantFrom('loop', 'loop.index', 'range(3)', 'loop.cycle("a", "b")', 'namespace(x=1)', 'caller()'),
    ),
    node: fc.oneof(
      { maxDepth: 3, depthIdentifier: 'node' },
      fc.constantFrom('text ', '\n', 'ü'),
      tie('value').map((value) => `{{ ${value} }}`),
      fc.tuple(textNames, textNames, texts, texts).map(([f, g, a, b]) => `{{ ${a}|${f}|${g}(${b}) ~ ${b} }}`),
      fc
        .tuple(keys, tie('value'), tie('nodes'))
        .map(([key, value, body]) => `{% for ${key} in ${value} %}${body}{% else %}${body}{% endfor %}`),
      fc.tuple(tie('value'), tie('nodes')).map(([value, body]) => `{% if ${value} %}${body}{% endif %}`),
      fc.tuple(keys, tie('value')).map(([key, value]) => `{% set ${key} = ${value} %}`),
      fc.tuple(keys, tie('nodes')).map(([key, body]) => `{% set ${key} %}${body}{% endset %}`),
      fc
        .tuple(keys, tie('nodes'), tie('value'))
        .map(([key, body, value]) => `{% macro ${key}(a, b=1) %}${body}{% endmacro %}{{ ${key}(${value}) }}`),
      fc.tuple(called, tie('nodes')).map(([name, body]) => `{% filter ${name} %}${body}{% endfilter %}`),
    ),
    nodes: fc.array(tie('node'), { maxLength: 3 }).map((nodes) => nodes.join('')),
  })).nodes;
}

const tokens = [
  '{{',
  '}}',
  '{%',
  '%}',
  '{#',
  '#}',
  '{{{',
  '}}}',
  '#if',
  '/if',
  'else',
  '|',
  '(',
  ')',
  '"',
  '\n',
  'a',
  '.',
  '\0',
  '=',
  '..',
  '@',
  '[',
  ']',
  ' for ',
  ' in ',
  ' end',
  '~',
  '{{!--',
  '{% raw %}',
];

/** Templates that are truncated, mixed up or random text. */
export const randomTemplates: fc.Arbitrary<string> = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.array(fc.constantFrom(...tokens), { maxLength: 30 }).map((parts) => parts.join('')),
  fc
    .tuple(
      fc.oneof(handlebars({ escaped: false }), jinja({ escaped: false })),
      fc.nat(200),
      fc.nat(200),
      fc.constantFrom('', ...tokens),
    )
    .map(([text, from, to, token]) => text.slice(0, from) + token + text.slice(to)),
);
