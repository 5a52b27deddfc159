import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Failure } from '../../../../main/failure/failure.ts';
import {
  fillTemplate,
  defaultLimits,
  type TemplateLimits,
} from '../../../../main/input/template/fill-template.ts';
import { plainOptions } from './fill.ts';

const scriptFile = fileURLToPath(import.meta.resolve('./template-worker-program.ts'));

function run(
  template: string | Buffer,
  options: {
    data?: string;
    limits?: Partial<TemplateLimits>;
    signal?: AbortSignal;
    fallbackCharset?: string;
  } = {},
) {
  return fillTemplate({
    template: typeof template === 'string' ? Buffer.from(template) : template,
    fallbackCharset: options.fallbackCharset,
    data: Buffer.from(options.data ?? '{"name":"Ä & Ö"}'),
    options: plainOptions,
    limits: { ...defaultLimits, ...options.limits },
    signal: options.signal ?? new AbortController().signal,
    scriptFile,
  });
}

/** Asserts that filling fails with 400.313 and a message that matches. */
async function refused(filling: Promise<unknown>, pattern: RegExp): Promise<void> {
  await assert.rejects(filling, (error) => {
    assert.ok(error instanceof Failure, String(error));
    assert.equal(`${error.status}.${error.reason}`, '400.313');
    assert.match(error.message, pattern);
    return true;
  });
}

test('a template is filled with the data, with a note about the detected language and format', async () => {
  const { html, notes } = await run('<p>{{name}} {{currency 1.5 "EUR"}}</p>');
  assert.equal(html.toString(), '<p>Ä &amp; Ö €1.50</p>');
  assert.equal(notes.length, 1);
  assert.match(notes[0] ?? '', /handlebars.*json/);
});

test('a template is decoded in the character set that it declares, or else in that of the request', async () => {
  // "日本" in Shift_JIS.
  const japanese = Buffer.from([0x93, 0xfa, 0x96, 0x7b]);
  const declared = Buffer.concat([Buffer.from('<meta charset="shift_jis">{{name}} '), japanese]);
  assert.match((await run(declared)).html.toString(), /Ä &amp; Ö 日本$/);
  assert.equal((await run(japanese, { fallbackCharset: 'shift_jis' })).html.toString(), '日本');
});

test('an error in the template or the data is 400.313 with line and column', async () => {
  await refused(run('a\n{{nope}}'), /line 2, column 3: the data has no value 'nope'/);
  await refused(run('x', { data: '{"a"\n1}' }), /not valid JSON at line 2, column 1/);
});

test('an endless template is stopped at its time limit', async () => {
  const limits = { seconds: 0.5 };
  await refused(
    run('{{#times 1e6}}{{#times 1e6}}{{/times}}{{/times}}'.replaceAll('1e6', '1000000'), { limits }),
    /longer than 0\.5 s/,
  );
  await refused(
    run('{% for a in range(1000000) %}{% for b in range(1000000) %}{% endfor %}{% endfor %}', { limits }),
    /longer than 0\.5 s/,
  );
});

test('a template that prints without end is stopped at the output limit', async () => {
  const limits = { outputBytes: 1_000_000 };
  await refused(
    run('{{#times 1000000}}xxxxxxxxxx{{/times}}', { limits }),
    /output is larger than 1000000 bytes/,
  );
});

test('a template that exhausts its memory is refused, and the next one is filled', async () => {
  const limits = { memoryBytes: 64_000_000 };
  const hoard = '{% set a = [] %}{% for i in range(100000) %}{% set a = a + [range(10000)] %}{% endfor %}';
  await refused(run(hoard, { limits }), /need more than 64000000 bytes of memory/);
  assert.match(String((await run('{{name}}')).html), /Ä/);
});

test('data larger than its limit is refused', async () => {
  await refused(run('x', { data: '[1,2,3]', limits: { dataBytes: 5 } }), /has 7 bytes; the limit is 5/);
});

test('an abort before or during the filling of a template rejects with its reason', async () => {
  const reason = new Error('the caller has gone');
  const controller = new AbortController();
  const filling = run('{{#times 1000000}}{{#times 1000000}}{{/times}}{{/times}}', {
    signal: controller.signal,
  });
  setTimeout(() => {
    controller.abort(reason);
  }, 100);
  await assert.rejects(filling, reason);
  await assert.rejects(run('x', { signal: AbortSignal.abort(reason) }), reason);
});

test('5 MB of JSON fill a template with 1,600 rows', async () => {
  const items = Array.from({ length: 1600 }, (_, index) => ({
    name: `Item ${index}`,
    price: index * 1.1,
    note: 'n'.repeat(3000),
  }));
  const { html } = await run('{{#each items}}<tr><td>{{name}}<td>{{currency price "EUR"}}</tr>{{/each}}', {
    data: JSON.stringify({ items }),
  });
  assert.equal(html.toString().split('<tr>').length, 1601);
});
