import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { codeRequestOf } from '../../../../../renderer/call/code/code-request.ts';
import {
  codeLanguageNames,
  codeLanguages,
  spansOf,
  type CodeLanguage,
} from '../../../../../renderer/call/code/languages.ts';

const facts = { baseUrl: 'http://127.0.0.1:8730', account: 'demo', key: 'demo' };
const formOf = (...fields: (readonly [string, string])[]) => ({ fields, files: [] });

describe('The code of a call', () => {
  const nasty = `<p class="x">it's "$HOME" \`x\` \\</p>\n# no comment\n// none either\n"""\n`;
  const call = codeRequestOf({ ...facts, form: formOf(['text', nasty], ['page_size', 'A5']) });

  for (const language of codeLanguageNames)
    test(`${codeLanguages[language].label}: highlighting changes no code, and marks an entered value as one string`, () => {
      const code = codeLanguages[language].write(call);
      const spans = spansOf(code, language);
      assert.equal(spans.map((span) => span.code).join(''), code);
      for (const { kind, code: piece } of spans)
        if (kind !== 'text') assert.ok(!/none either|class=|HOME/.test(piece), piece);
      const comments = spans.filter(({ kind }) => kind === 'comment').map((span) => span.code);
      assert.equal(comments.length, { curl: 0, powershell: 1 }[language as string] ?? 2);
      assert.match(code, /A5/);
    });

  test('gives the output file the requested name, or a name with the extension of its format', () => {
    const outputOf = (...fields: (readonly [string, string])[]) =>
      codeRequestOf({ ...facts, form: formOf(...fields) }).output;
    assert.equal(outputOf(), 'document.pdf');
    assert.equal(outputOf(['output_format', 'jpg']), 'image.jpg');
    assert.equal(outputOf(['output_name', '../a/b.pdf']), '.._a_b.pdf');
    assert.equal(outputOf(['output_name', '-rf.pdf']), './-rf.pdf');
  });

  test('reads long HTML from a separate file', () => {
    const long = codeRequestOf({
      ...facts,
      form: formOf(['text', 'ä'.repeat(20_000)], ['custom_css', '\0']),
    });
    assert.deepEqual(
      long.texts.map(({ file }) => file),
      ['page.html', 'custom_css.css'],
    );
    for (const language of codeLanguageNames) assert.match(codeLanguages[language].write(long), /page\.html/);
  });

  test('sends a repeated option once for each value and file, in their order', () => {
    const form = {
      ...formOf(['attachment_description', 'One'], ['attachment_description', ''], ['title', 'T']),
      files: ['a.txt', 'b.txt'].map((name) => ({ name: 'attachment', file: new File(['x'], name) })),
    };
    const repeated = codeRequestOf({ ...facts, form });
    const expected: Record<CodeLanguage, readonly string[]> = {
      curl: [
        "--form-string 'attachment_description=One'",
        "--form-string 'attachment_description='",
        `--form 'attachment=@"a.txt"'`,
        `--form 'attachment=@"b.txt"'`,
      ],
      python: [
        '("attachment_description", "One"),',
        '("attachment_description", ""),',
        '("attachment", "a.txt"),',
        '("attachment", "b.txt"),',
      ],
      node: [
        "form.append('attachment_description', 'One');",
        "form.append('attachment_description', '');",
        "form.append('attachment', new Blob([await readFile('a.txt')]), 'a.txt');",
        "form.append('attachment', new Blob([await readFile('b.txt')]), 'b.txt');",
      ],
      java: [
        'fields.add(Map.entry("attachment_description", "One"));',
        'fields.add(Map.entry("attachment_description", ""));',
        'files.add(Map.entry("attachment", Path.of("a.txt")));',
        'files.add(Map.entry("attachment", Path.of("b.txt")));',
      ],
      php: [
        "'attachment_description[0]' => 'One',",
        "'attachment_description[1]' => '',",
        "'title' => 'T',",
        "'attachment[0]' => new CURLFile('a.txt'),",
        "'attachment[1]' => new CURLFile('b.txt'),",
      ],
      powershell: [
        "attachment_description = ('One'), ('')",
        "title = 'T'",
        "attachment = (Get-Item -LiteralPath 'a.txt'), (Get-Item -LiteralPath 'b.txt')",
      ],
      csharp: [
        'form.Add(new StringContent("One"), "attachment_description");',
        'form.Add(new StringContent(""), "attachment_description");',
        'form.Add(new StreamContent(File.OpenRead("a.txt")), "attachment", "a.txt");',
        'form.Add(new StreamContent(File.OpenRead("b.txt")), "attachment", "b.txt");',
      ],
    };
    for (const language of codeLanguageNames) {
      const code = codeLanguages[language].write(repeated);
      const positions = expected[language].map((line) => code.indexOf(line));
      assert.ok(!positions.includes(-1), `${language}: ${code}`);
      assert.deepEqual(
        positions,
        positions.toSorted((a, b) => a - b),
        language,
      );
    }
  });

  test('contains U+FFFD in place of half a surrogate pair, because the request does too', () => {
    assert.equal(codeRequestOf({ ...facts, form: formOf(['text', 'a\ud800']) }).texts[0]?.value, 'a\ufffd');
  });
});
