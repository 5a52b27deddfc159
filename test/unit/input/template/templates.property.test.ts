import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { render } from '../../../../main/input/template/render.ts';
import { defaultLimits, type TemplateOptions } from '../../../../main/input/template/fill-template.ts';
import { plainOptions } from './fill.ts';
import { randomTemplates, data, handlebars, jinja } from './templates.ts';

const limits = { ...defaultLimits, outputBytes: 100_000 };

/** Returns the HTML, or undefined for a template reported as invalid. Any other error fails the test. */
function filled(template: string, json: unknown, options: Partial<TemplateOptions>): string | undefined {
  const bytes = Buffer.from(JSON.stringify(json));
  const answer = render({ template, data: bytes, options: { ...plainOptions, ...options }, limits });
  switch (answer.kind) {
    case 'fault':
      assert.fail(answer.stack);
    case 'problem':
      assertPositionExists(answer.message, template);
      return undefined;
    case 'filled':
      assert.ok(answer.html.length <= limits.outputBytes);
      return Buffer.from(answer.html).toString();
  }
}

/** Asserts that the position in the message exists in the template. */
function assertPositionExists(message: string, template: string): void {
  assert.match(message, /^The .*\.$/s);
  const position = /^The template is not valid at line (-?\d+), column (-?\d+)/.exec(message);
  const line = Number(position?.[1] ?? 1);
  const column = Number(position?.[2] ?? 1);
  const lines = template.split('\n');
  assert.ok(line >= 1 && line <= lines.length, message);
  assert.ok(column >= 1 && column <= (lines[line - 1] ?? '').length + 1, message);
}

const engines = fc.constantFrom('handlebars', 'jinja', 'auto');
const flags = fc.record({ data_ignore_undefined: fc.boolean(), data_trim_blocks: fc.boolean() });
const markers = fc.constantFrom('standard', 'square', 'angle');

for (const [engine, templates] of Object.entries({ handlebars, jinja }))
  describe(`a ${engine} template`, () => {
    const options = { template_engine: engine as 'handlebars' | 'jinja' };

    test('is filled, or is reported as invalid with a line and column', () => {
      fc.assert(
        fc.property(templates({ escaped: false }), data, flags, (template, json, more) => {
          filled(template, json, { ...options, ...more });
        }),
        { numRuns: 1500 },
      );
    });

    test('neither prints nor changes objects of the program that fills it', () => {
      const before = Object.getOwnPropertyNames(Object.prototype).join();
      fc.assert(
        fc.property(templates({ escaped: false }), data, (template, json) => {
          const html = filled(template, json, { ...options, data_ignore_undefined: true }) ?? '';
          assert.doesNotMatch(html, /native code|\[object |=>|function/);
          assert.equal(Object.getOwnPropertyNames(Object.prototype).join(), before);
        }),
        { numRuns: 1500 },
      );
    });

    test('escapes every < of the data with data_auto_escape', () => {
      let printed = 0;
      fc.assert(
        fc.property(templates({ escaped: true }), data, (template, json) => {
          const html = filled(template, json, {
            ...options,
            data_ignore_undefined: true,
            data_auto_escape: true,
          });
          if (html?.includes('&lt;') === true) printed += 1;
          // The nl2br filter adds <br> tags itself.
          assert.doesNotMatch(html ?? '', /<(?!br>)/);
        }),
        { numRuns: 1500 },
      );
      assert.ok(printed > 10, `${printed}`);
    });
  });

test('random text as a template is filled, or is reported as invalid with a line and column', () => {
  fc.assert(
    fc.property(
      randomTemplates,
      data,
      engines,
      markers,
      (template, json, template_engine, data_variable_markers) => {
        filled(template, json, { template_engine, data_variable_markers });
      },
    ),
    { numRuns: 4000 },
  );
});

describe('random data', () => {
  const formats = fc.constantFrom('auto', 'json', 'xml', 'yaml', 'csv');
  const pieces = fc.constantFrom(
    '{',
    '}',
    '[',
    ']',
    '"',
    ':',
    ',',
    '<a>',
    '</a>',
    '<',
    '&x;',
    '&a',
    '*a',
    '- ',
    '\n',
    '  ',
    'a',
    '1',
    '!!js',
    '<<: ',
    '<![CDATA[',
    ']]>',
    '<?',
    '|',
    '>',
    '__proto__',
    '\0',
    '\ufeff',
    '%',
    '---\n',
  );
  const texts = fc.oneof(
    fc.array(pieces, { maxLength: 25 }).map((parts) => Buffer.from(parts.join(''))),
    fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes)),
    fc.jsonValue().map((value) => Buffer.from(JSON.stringify(value))),
  );

  test('is read, or is reported as invalid, in every format', () => {
    const encodings = fc.constantFrom('utf-8', 'utf-16le', 'windows-1252', 'shift_jis', 'nonsense');
    fc.assert(
      fc.property(texts, formats, encodings, (bytes, data_format, data_encoding) => {
        const options = { ...plainOptions, data_format, data_encoding, data_ignore_undefined: true };
        const answer = render({ template: '{{a}}{{json this}}', data: bytes, options, limits });
        assert.notEqual(answer.kind, 'fault', answer.kind === 'fault' ? answer.stack : '');
        assert.equal(({} as { a?: unknown }).a, undefined);
      }),
      { numRuns: 4000 },
    );
  });

  test('stays unchanged if it is JSON', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
        const options = { template_engine: 'handlebars', data_format: 'json' } as const;
        const html = filled('{{{json this}}}', value, options) ?? '';
        assert.deepEqual(JSON.parse(html), JSON.parse(JSON.stringify(value)));
      }),
      { numRuns: 1000 },
    );
  });
});
