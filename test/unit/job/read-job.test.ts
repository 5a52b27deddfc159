import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { Failure } from '../../../main/failure/failure.ts';
import type { FailureKind } from '../../../main/failure/catalogue.ts';
import { optionNames } from '../../../main/job/options.ts';
import type { Form } from '../../../main/job/read-fields.ts';
import { readJob } from '../../../main/job/read-job.ts';
import { formOf, limits, optionsOf, pageUpload } from './forms.ts';

const html = { text: '<p>' };

function failureOf(form: Form): Failure {
  try {
    readJob(form, limits);
  } catch (problem) {
    assert.ok(problem instanceof Failure, String(problem));
    return problem;
  }
  assert.fail('the form was accepted');
}

function refuses(form: Form, kind: FailureKind, message: RegExp): void {
  const failure = failureOf(form);
  assert.equal(failure.kind, kind, failure.message);
  assert.match(failure.message, message);
}

describe('any form', () => {
  const names = fc.oneof(
    fc.constantFrom(...optionNames, 'stream', '__proto__', 'constructor', 'toString', ''),
    fc.string({ unit: 'binary' }),
  );
  const values = fc.oneof(
    fc.constantFrom('true', '1', '0', 'A4', 'png', '1in', '-1', 'http://a.example/', ''),
    fc.string({ unit: 'binary' }),
  );
  const fields = fc.array(fc.record({ name: names, value: values }), { maxLength: 8 });
  const files = fc.array(fc.record({ name: names, upload: fc.constant(pageUpload) }), { maxLength: 3 });

  test('gives a job, or a failure with status 400', () => {
    fc.assert(
      fc.property(fields, files, (someFields, someFiles) => {
        try {
          readJob({ fields: someFields, files: someFiles }, limits);
          return true;
        } catch (problem) {
          return problem instanceof Failure && problem.status === 400;
        }
      }),
      { numRuns: 2000 },
    );
  });

  test('is refused if a field or a file has an unknown name', () => {
    const known = new Set<string>([...optionNames, 'stream']);
    const unknown = names.filter((name) => !known.has(name));
    fc.assert(
      fc.property(unknown, values, fc.boolean(), (name, value, asFile) => {
        const form = asFile
          ? formOf(html, [{ name, upload: pageUpload }])
          : formOf([
              ['text', '<p>'],
              [name, value],
            ]);
        return failureOf(form).kind === 'unknownParameter';
      }),
    );
  });

  test('gives a job with a value for each known option and for no other name', () => {
    assert.deepEqual(Object.keys(optionsOf({ output_format: 'png' })).sort(), [...optionNames].sort());
  });

  test('gets an error message without lone surrogates, even when it quotes a shortened value', () => {
    for (const length of [75, 76, 77, 78, 79, 80]) {
      const { message } = failureOf(formOf({ ...html, output_format: `${'a'.repeat(length)}😀😀😀😀` }));
      assert.doesNotMatch(message, /\p{Surrogate}/u, `cut after ${length}`);
    }
  });
});

describe('the input', () => {
  test('is the given file, url or text', () => {
    assert.deepEqual(readJob(formOf({}, [{ name: 'file', upload: pageUpload }]), limits).input, {
      kind: 'file',
      upload: pageUpload,
    });
    assert.deepEqual(readJob(formOf({ text: '<p>' }), limits).input, { kind: 'text', html: '<p>' });
    const { input } = readJob(formOf({ url: 'HTTP://Example.com/a' }), limits);
    assert.ok(input.kind === 'url' && input.url.href === 'http://example.com/a');
  });

  test('may be in a part named stream', () => {
    assert.deepEqual(readJob(formOf({}, [{ name: 'stream', upload: pageUpload }]), limits).input, {
      kind: 'file',
      upload: pageUpload,
    });
  });

  test('is file, else url, else text if several are given, with a note about each ignored input', () => {
    const all = readJob(
      formOf({ url: 'http://a.example/', text: '<p>' }, [{ name: 'file', upload: pageUpload }]),
      limits,
    );
    assert.equal(all.input.kind, 'file');
    assert.deepEqual(all.notes, [
      { text: 'url was ignored, because file was given too', code: 'ignored-input', options: ['url'] },
      { text: 'text was ignored, because file was given too', code: 'ignored-input', options: ['text'] },
    ]);
    assert.equal(readJob(formOf({ url: 'http://a.example/', text: '<p>' }), limits).input.kind, 'url');
  });

  test('is reported as missing if it is absent or empty', () => {
    refuses(formOf({}), 'noInput', /url, file or text/);
    refuses(formOf({ text: '', url: '', file: '' }), 'noInput', /url, file or text/);
  });

  test('must be a complete http or https URL when it is a url', () => {
    const wrong = [
      'example.com',
      'ftp://a.example/',
      'file:///etc/passwd',
      'http:',
      'http://',
      '//a.example',
      'javascript:alert(1)',
      ' ',
      '\0',
      'http:\\\\a.example\\',
      'http://a b/',
      'data:text/html,x',
      'http://[::1',
      'http://a.example:99999/',
    ];
    for (const url of wrong) refuses(formOf({ url }), 'urlInvalid', /the value '/i);
  });

  test('must be a file part when it is a file; other options must be plain fields', () => {
    refuses(formOf({ file: '<p>' }), 'bodyFormat', /file must be a file part/i);
    refuses(formOf({ stream: '<p>' }), 'bodyFormat', /must be a file part/);
    refuses(
      formOf(html, [{ name: 'custom_css', upload: pageUpload }]),
      'bodyFormat',
      /custom_css must be a plain field/i,
    );
  });

  test('may be given only once, and not under both names file and stream', () => {
    refuses(
      formOf([
        ['text', 'a'],
        ['text', 'b'],
      ]),
      'valueNotAllowed',
      /text was given more than once/i,
    );
    refuses(
      formOf({}, [
        { name: 'file', upload: pageUpload },
        { name: 'stream', upload: pageUpload },
      ]),
      'valueNotAllowed',
      /file was given more than once/i,
    );
  });
});

describe('options', () => {
  test('keep their lower-case names in a message, even at its beginning', () => {
    for (const fields of [{ margin_left: '9in' }, { page_width: '300in' }]) {
      const { message } = failureOf(formOf({ ...html, ...fields }));
      assert.ok(message.includes(Object.keys(fields).join()), message);
    }
    assert.match(failureOf(formOf({ file: '<p>' })).message, /\bfile\b must be a file part.*-F 'file=@path'/);
  });

  test('that are absent or empty have their defaults and do not count as given', () => {
    const { options, givenOptions } = readJob(
      formOf({ ...html, page_size: '', margin_top: '', debug_log: '' }),
      limits,
    );
    assert.deepEqual([options.page_size, options.margin_top, options.debug_log], ['A4', 0.4, false]);
    assert.deepEqual([...givenOptions], ['text']);
    assert.deepEqual(
      [options.output_format, options.orientation, options.content_viewport_width],
      ['pdf', 'portrait', 1024],
    );
    assert.deepEqual(
      [options.screenshot_width, options.scale_factor, options.javascript_delay],
      [1024, 100, undefined],
    );
  });

  test('that have no effect on the output are noted, not refused', () => {
    const { notes } = readJob(formOf({ ...html, output_format: 'PNG', margin_top: '1in' }), limits);
    assert.deepEqual(notes, [
      {
        text: 'margin_top has no effect on output_format=png',
        code: 'option-without-effect',
        options: ['margin_top'],
      },
    ]);
    const notesOfPdf = readJob(formOf({ ...html, screenshot_width: '800' }), limits).notes;
    assert.deepEqual(
      notesOfPdf.map(({ text }) => text),
      ['screenshot_width has no effect on output_format=pdf'],
    );
  });

  test('that contain a file name instead of its content are noted, with the fix', () => {
    const { notes } = readJob(formOf({ ...html, footer_html: 'my/footer.html' }), limits);
    assert.deepEqual(
      notes.map(({ code, options }) => [code, options]),
      [['name-as-content', ['footer_html']]],
    );
    assert.match(notes[0]?.text ?? '', /with curl: -F 'footer_html=<my\/footer\.html'/);
    for (const footer_html of ['<p>footer.html', 'See footer.html', 'footer', 'https://example.com'])
      assert.deepEqual(readJob(formOf({ ...html, footer_html }), limits).notes, []);
  });

  test('that are invalid are all named in one message, the most severe first', () => {
    const { kind, message } = failureOf(
      formOf({ page_sise: 'A4', orientation: 'sideways', scale_factor: '9' }),
    );
    assert.equal(kind, 'unknownParameter');
    for (const pattern of [
      /^'page_sise' is not a known parameter; did you mean page_size\?/,
      /'sideways' of orientation .*portrait, landscape/,
      /'9' of scale_factor .*from 10 to 500/,
      /no input was given/,
    ]) {
      assert.match(message, pattern);
    }
    assert.match(message, /[^.]\.$/);
  });

  test('have case-sensitive names', () => {
    refuses(formOf({ ...html, Page_Size: 'A4' }), 'unknownParameter', /did you mean page_size/);
  });

  test('with long values are quoted in one line, shortened', () => {
    const { message } = failureOf(formOf({ ...html, output_format: `x\n${'y'.repeat(10_000)}` }));
    assert.match(message, /'x y{75}\.\.\.'/);
  });
});
