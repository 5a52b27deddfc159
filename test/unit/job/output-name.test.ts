import assert from 'node:assert/strict';
import { test } from 'node:test';
import { outputName } from '../../../main/job/output-name.ts';
import type { Input } from '../../../main/job/job.ts';
import type { Options } from '../../../main/job/options.ts';

function nameOf(input: Input, options: Partial<Options> = {}): string {
  return outputName({ input, options: { output_format: 'pdf', ...options } as Options });
}

const url = (address: string): Input => ({ kind: 'url', url: new URL(address) });
const upload = (name: string): Input => ({ kind: 'file', upload: { path: '/x', size: 1, name } });
const text: Input = { kind: 'text', html: 'x' };

const names: readonly (readonly [what: string, input: Input, name: string])[] = [
  ['text', text, 'document.pdf'],
  ['a file', upload('Rechnung 10.html'), 'Rechnung 10.pdf'],
  ['an archive', upload('brief.tar.gz'), 'brief.pdf'],
  ['a zipped page', upload('brief.html.gz'), 'brief.pdf'],
  ['a file whose name has a dot but no extension', upload('Version 1.5'), 'Version 1.5.pdf'],
  ['a page', url('https://example.com/docs/pricing.html?x=1'), 'pricing.pdf'],
  ['a page with a name outside ASCII', url('https://example.com/%C3%9Cber uns/'), 'Über uns.pdf'],
  ['the home page of a site', url('https://www.example.com/'), 'example.com.pdf'],
  ['a home page named index.php', url('https://example.com/de/index.php'), 'example.com.pdf'],
  ['an address with a broken percent-encoding', url('https://example.com/100%'), '100%.pdf'],
  ['a path with encoded folders', url('https://example.com/..%2f..%2fetc'), '.._.._etc.pdf'],
  ['a file with characters that Windows forbids', upload('a:b?.html'), 'a_b_.pdf'],
  ['a file named like a device of Windows', upload('con.html'), 'document.pdf'],
  ['a file named by an extension alone', upload('.html'), 'document.pdf'],
];
for (const [what, input, name] of names)
  test(`the output of ${what} has the name ${name}`, () => {
    assert.equal(nameOf(input), name);
  });

test('the output has the extension of its format', () => {
  assert.equal(nameOf(upload('a.svg'), { output_format: 'webp' }), 'a.webp');
});

test('the output has the name in output_name', () => {
  assert.equal(nameOf(url('https://example.com'), { output_name: 'mine.pdf' }), 'mine.pdf');
});

test('the name of an output has at most 180 characters', () => {
  const name = nameOf(upload(`${'é'.repeat(400)}.html`));
  assert.match(name, /^é+\.pdf$/);
  assert.ok(Buffer.byteLength(name) <= 255 * 2 && Array.from(name).length <= 180);
});
