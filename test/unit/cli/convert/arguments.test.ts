import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { flags } from '../../../../main/cli/convert/flags.ts';
import { convertHelp } from '../../../../main/cli/convert.ts';
import { parseConvertArguments } from '../../../../main/cli/convert/arguments.ts';
import { optionNames } from '../../../../main/job/options.ts';

const option = (words: readonly string[], name: string) =>
  Object.fromEntries(parseConvertArguments(words).options)[name as 'title']?.[0];

describe('On the command line of platen convert,', () => {
  test('an option is written with hyphens or as in the API, in any case, and its value follows a space or =', () => {
    for (const words of [
      ['--page-size', 'A5'],
      ['--page_size', 'A5'],
      ['--page-size=A5'],
      ['--PAGE-SIZE=A5'],
    ])
      assert.deepEqual(option(words, 'page_size'), { text: 'A5', source: 'value' });
  });

  test('an option that may be repeated keeps all its values in order; of another option, the last one counts', () => {
    const words = ['--attachment', 'a.txt', '--title=A', '--attachment=b.txt', '--title', 'B'];
    const { options } = parseConvertArguments(words);
    assert.deepEqual(
      options.get('attachment'),
      ['a.txt', 'b.txt'].map((text) => ({ text, source: 'upload' })),
    );
    assert.deepEqual(options.get('title'), [{ text: 'B', source: 'value' }]);
  });

  test('a value may begin with a hyphen', () => {
    assert.deepEqual(option(['--page-height', '-1'], 'page_height'), { text: '-1', source: 'value' });
    assert.deepEqual(option(['--content-area-x', '-5mm'], 'content_area_x'), {
      text: '-5mm',
      source: 'value',
    });
  });

  test('a switch has no value, true or false; the prefix no- turns it off', () => {
    assert.equal(option(['--encrypt', 'page.html'], 'encrypt')?.text, 'true');
    assert.deepEqual(parseConvertArguments(['--encrypt', 'page.html']).positionals, ['page.html']);
    assert.equal(option(['--encrypt', 'false'], 'encrypt')?.text, 'false');
    assert.equal(option(['--encrypt=0'], 'encrypt')?.text, '0');
    assert.equal(option(['--no-verify-ssl-certificates'], 'verify_ssl_certificates')?.text, 'false');
  });

  test('an option whose name begins with no- is turned on by its name, and off by a second no-', () => {
    assert.equal(option(['--no-margins'], 'no_margins')?.text, 'true');
    assert.equal(option(['--no-no-margins'], 'no_margins')?.text, 'false');
  });

  test('options for files take a path; options for text and passwords take a path with the suffix -file', () => {
    assert.deepEqual(option(['--data-file', 'd.json'], 'data_file'), { text: 'd.json', source: 'upload' });
    assert.deepEqual(option(['--page-watermark', 'w.pdf'], 'page_watermark'), {
      text: 'w.pdf',
      source: 'upload',
    });
    assert.deepEqual(option(['--header-file', 'h.html'], 'header_html'), {
      text: 'h.html',
      source: 'content',
    });
    assert.deepEqual(option(['--footer-html-file', 'f'], 'footer_html'), { text: 'f', source: 'content' });
    assert.deepEqual(option(['--user-password-file', 'p'], 'user_password'), {
      text: 'p',
      source: 'content',
    });
  });

  test('a flag that names both an option and a setting sets the option; the prefix setting- selects the setting', () => {
    assert.equal(option(['--page-size', 'A5'], 'page_size')?.text, 'A5');
    assert.deepEqual(parseConvertArguments(['--setting-page-size', '1GB']).settings, ['--page-size=1GB']);
    assert.deepEqual(parseConvertArguments(['--workers', '3']).settings, ['--workers=3']);
    assert.equal(parseConvertArguments(['--debug-log', 'log.html']).flags.get('debug-log'), 'log.html');
  });

  test('- is an input, -o and -q are short flags, and everything after -- is an input', () => {
    const { positionals, flags } = parseConvertArguments(['-', '-o', 'x.pdf', '-q', '--', '--odd.html']);
    assert.deepEqual(positionals, ['-', '--odd.html']);
    assert.deepEqual([...flags], [['output', 'x.pdf'], ['quiet', 'on']]); // prettier-ignore
  });

  test('if a flag and its -file form are both given, the last one applies', () => {
    const words = ['--header-html', 'a', '--header-html-file', 'f', '--header-html', 'b'];
    assert.deepEqual(option(words, 'header_html'), { text: 'b', source: 'value' });
  });

  test('short flags may be joined, and a value may look like a flag', () => {
    const { flags } = parseConvertArguments(['-qo', 'x.pdf']);
    assert.deepEqual(Object.fromEntries(flags), { quiet: 'on', output: 'x.pdf' });
    assert.equal(option(['--header-html', '--PAGE_SIZE'], 'header_html')?.text, '--PAGE_SIZE');
  });

  for (const [words, expectedMessage] of [
    [['--page-sice', 'A5'], /--page-sice is not a flag.*did you mean --page-size\?/],
    [['-x'], /-x is not a flag/],
    [['--page-size'], /--page-size needs a value/],
    [['--force=1'], /--force takes no value/],
    [['--url', 'https://x'], /give the URL as an argument/],
    [['--output-name', 'x'], /--output FILE/],
    [['--port', '1'], /a setting of the service/],
  ] as const)
    test(`'${words.join(' ')}' is refused with the reason`, () => {
      assert.throws(() => parseConvertArguments(words), { name: 'UsageProblem', message: expectedMessage });
    });

  test('every API option has a flag, except those of the input, output and debug log; the help lists all flags', () => {
    const help = convertHelp();
    const without = optionNames.filter((name) => flags.get(name.replaceAll('_', '-'))?.kind !== 'option');
    assert.deepEqual(without, ['url', 'file', 'text', 'output_name', 'content_disposition', 'debug_log']);
    for (const name of flags.keys())
      if (!/^setting-|^(header|footer)-file$/.test(name)) assert.match(help, new RegExp(`--${name}\\b`));
    assert.ok(help.split('\n').every((line) => line.length <= 130));
  });
});
