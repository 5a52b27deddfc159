/** Documents written into an open page give the same output as documents loaded by navigation, and leave no state behind. */
import assert from 'node:assert/strict';
import { createWriteStream } from 'node:fs';
import { devNull } from 'node:os';
import { describe, test } from 'node:test';
import sharp from 'sharp';
import { openPage } from '../../main/engine/requests/job-document.ts';
import type { Engine } from '../../main/engine/engine.ts';
import { loadPage } from '../../main/engine/loading/load-page.ts';
import { defaultLimits } from '../../main/input/archive/limits.ts';
import { prepareSource } from '../../main/input/prepare-source.ts';
import type { Source } from '../../main/input/source.ts';
import type { Options } from '../../main/job/options.ts';
import { DebugLog } from '../../main/log/debug-log.ts';
import { openFinisher } from '../../main/output/finish/finisher.ts';
import { produce } from '../../main/output/produce.ts';
import { noSigner, newRun, startEngine } from '../support/service/engine.ts';

const dot = 'data:image/gif;base64,R0lGODlhAQABAIAAAAUEBAAAACwAAAAAAQABAAACAkQBADs=';

/** Documents with different kinds of content. */
const documents: Readonly<Record<string, string>> = {
  'a letter': '<!doctype html><html lang="en"><title>Letter</title><h1>Dear all</h1><p>Hello.</p></html>',
  'quirks mode': '<table><tr><td style="font-size: 20px">a<td>b</table><p>no doctype',
  'style sheets':
    '<!doctype html><style>@page { margin: 3cm } :root { --c: #a00 } h1 { color: var(--c); counter-increment: n } h1::before { content: counter(n) ". \\201C" }</style><h1>one</h1><h1>two</h1>',
  'images in the document': `<!doctype html><img src="${dot}" width="50" height="30"><svg viewBox="0 0 9 9"><circle cx="4" cy="4" r="3" fill="url(#g)"/><defs><linearGradient id="g"><stop offset="0" stop-color="red"/></linearGradient></defs></svg><div style="height: 20px; background: url(${dot})"></div>`,
  links:
    '<!doctype html><a href="#end">down</a> <a href="https://example.com/a?b=c">out</a><div style="height: 3000px"></div><p id="end">end',
  'many pages': `<!doctype html><style>table { width: 100% } thead { color: blue }</style><table><thead><tr><th>n<th>x</thead>${Array.from({ length: 200 }, (_, n) => `<tr><td>${n}<td>text`).join('')}</table>`,
  'several writing systems':
    '<!doctype html><meta charset="utf-8"><p>Grüße, привет, 你好, مرحبا, שלום &amp; &#8364; &#38;</p>',
  'a grid':
    '<!doctype html><style>main { display: grid; grid-template-columns: 1fr 2fr; gap: 1em } @media print { aside { background: #eee } }</style><main><aside>a</aside><section>b</section></main>',
  'line ends': '<!doctype html>\r\n<pre>\r\na\r\nb\rc\n</pre>',
  'characters with a meaning in JavaScript':
    '<!doctype html><p>`a` ${b} $c \\n \'d\' "e"</p><p>\u2028\u2029\u0085 \u{1f600}</p>',
  'broken markup': '<!doctype html><p>a<b>b<i>c</b>d</i><table>stray<tr><td>x</table></p></div><!-- open',
};

/** Returns the data URL of an image that cannot be compressed. */
async function noise(width: number, height: number): Promise<string> {
  const noisy = { type: 'gaussian', mean: 128, sigma: 60 } as const;
  const image = sharp({ create: { width, height, channels: 3, background: 'white', noise: noisy } });
  return `data:image/png;base64,${(await image.png().toBuffer()).toString('base64')}`;
}

const headersAndFooters = {
  header:
    '<!doctype html><style>body { margin: 0; font: 12px serif; background: #eef } .service-page-odd { text-align: right }</style><b class="service-source-title"></b>',
  footer: `<p style="position: absolute; bottom: 0">Page <i class="service-page-number" data-service-number-format="roman"></i> of <i class="service-page-count"></i> <img src="${dot}" width="9">`,
};

interface ObservedConversion {
  readonly bytes: Buffer;
  /** True if the document was written into the open page, false if the window navigated to it. */
  readonly written: boolean;
  /** True if the window did not navigate, not even for headers and footers. */
  readonly stayed: boolean;
  readonly window: number;
}

interface ObservedOptions extends Partial<Options> {
  readonly change?: (source: Source) => Source;
  /** Whether the debug log is recorded. */
  readonly isRecorded?: boolean;
}

async function convert(
  engine: Engine,
  html: string,
  options: ObservedOptions = {},
): Promise<ObservedConversion> {
  const { change = unchanged, isRecorded = false, ...runOptions } = options;
  const run = { ...newRun(html, runOptions), ...(isRecorded && { log: recordedLog() }) };
  const source = change(await prepareSource(run, defaultLimits));
  await using finisher = openFinisher(1);
  return await engine.withWindow(run, source, async (window, limited) => {
    const page = await loadPage(window, source, limited);
    const isOpen = () => window.contents.getURL() === openPage;
    const written = isOpen();
    const { bytes } = await produce(page, limited, { finisher, maxOutputBytes: 1e9, signer: noSigner });
    return { bytes, written, stayed: isOpen(), window: window.contents.id };
  });
}

function recordedLog(): DebugLog {
  return new DebugLog({ id: 'test', stream: createWriteStream(devNull) });
}

const unchanged = (source: Source): Source => source;

function navigated(source: Source): Source {
  if (source.kind !== 'document') return source;
  const { staticText: _, ...rest } = source;
  return rest;
}

/** Marks this footer as static although it has requests, as a bug in the check for static footers would. */
function markedAsStatic(html: string) {
  return (source: Source): Source =>
    source.kind === 'document'
      ? { ...source, headerFooter: { footer: { kind: 'html', html, scripts: false, isStatic: true } } }
      : source;
}

/** Returns a PDF as text without the values that differ between runs: dates, offsets and the numbers of structure elements. */
function comparable({ bytes }: ObservedConversion): string {
  const nodes = new Map<string, number>();
  return bytes
    .toString('latin1')
    .replace(/\/(Creation|Mod)Date \([^)]*\)/g, '')
    .replace(/\(node\d+\)/g, (node) => {
      nodes.set(node, nodes.get(node) ?? nodes.size);
      return `(node ${String(nodes.get(node))})`;
    })
    .replace(/\d{10} 00000 n/g, '')
    .replace(/startxref\s\d+/, '');
}

describe('a document of text and styles', () => {
  test('gives the same output when it is written into the open page as by navigation', async () => {
    await using engine = await startEngine({ workers: 1 });
    for (const options of [
      {},
      { page_size: 'A5', use_print_media: true },
      { content_fit_mode: 'single-page' },
      { outline: true },
      {
        header_html: headersAndFooters.header,
        footer_html: headersAndFooters.footer,
        page_numbering_offset: 4,
      },
    ] as Partial<Options>[])
      for (const [name, html] of Object.entries(documents)) {
        const there = await convert(engine, html, { ...options, change: navigated });
        const here = await convert(engine, html, options);
        assert.deepEqual([there.written, here.written, here.stayed], [false, true, true], name);
        assert.equal(comparable(here), comparable(there), `${name} with ${JSON.stringify(options)}`);
      }
  });

  test('may contain megabytes of images', async () => {
    await using engine = await startEngine({ workers: 1 });
    const html = `<!doctype html><img src="${await noise(900, 600)}" width="300"><img src="${await noise(600, 300)}"><p>Two pictures.`;
    const there = await convert(engine, html, { change: navigated });
    const here = await convert(engine, html);
    assert.deepEqual([there.written, here.written], [false, true]);
    assert.equal(comparable(here), comparable(there));
    assert.ok(here.bytes.length > 1_000_000, `${here.bytes.length} bytes`);
  });

  test('has no state of the previous document', async () => {
    await using engine = await startEngine({ workers: 1 });
    const marks =
      '<!doctype html><html dir="rtl" lang="ar" style="color: red; zoom: 2"><title>planted</title><meta name="author" content="planted"><style>@page { size: A6 landscape; margin: 0 } @property --x { syntax: "<length>"; inherits: true; initial-value: 50px } @font-face { font-family: serif; src: local("DejaVu Sans Mono") } @counter-style decimal { system: cyclic; symbols: "x" } @layer late, early; * { color: red !important; margin-left: var(--x) } ::selection { color: red }</style><body id="end"><p>planted</p></body></html>';
    for (const [name, html] of Object.entries(documents)) {
      const first = await convert(engine, html);
      const planted = await convert(engine, marks, { css_page_rule_mode: 'mode2', page_size: 'A3' });
      await convert(engine, html, { header_html: marks, footer_html: marks, header_height: 3 });
      const after = await convert(engine, html);
      assert.deepEqual([planted.written, after.written, after.window], [true, true, planted.window]);
      assert.equal(comparable(after), comparable(first), name);
    }
  });

  test('is the same with a recorded debug log, which leaves no state for the next document', async () => {
    await using engine = await startEngine({ workers: 1 });
    for (const [name, html] of Object.entries(documents)) {
      const first = await convert(engine, html);
      const recorded = await convert(engine, html, { isRecorded: true });
      const after = await convert(engine, html);
      assert.deepEqual([recorded.written, after.window], [true, first.window], name);
      assert.equal(comparable(recorded), comparable(first), name);
      assert.equal(comparable(after), comparable(first), name);
    }
  });

  test('is loaded by navigation if the Content-Security-Policy of the open page blocks part of it', async () => {
    await using engine = await startEngine({ workers: 1 });
    const refused = [
      '<img src="image.png">',
      '<link rel="stylesheet" href="style.css">',
      '<style>@font-face { font-family: f; src: url(f.woff2) } p { font-family: f }</style><p>x',
      '<p style="background: url(image.png)">x',
      '<script>document.title = "ran"</script>',
      '<body onload="x()">x',
      '<base href="https://example.com/">',
      '<iframe src="https://example.com/"></iframe>',
    ];
    for (const html of refused) {
      const claimStatic = (source: Source): Source =>
        source.kind === 'document'
          ? { ...source, scripts: false, staticText: { html, searchable: html } }
          : source;
      assert.equal((await convert(engine, html, { change: claimStatic })).written, false, html);
    }
    assert.equal((await convert(engine, '<p>x')).written, true);
    const footer_html = '<img src="image.png">';
    const there = await convert(engine, '<p>x', { footer_html, change: markedAsStatic(footer_html) });
    assert.deepEqual([there.written, there.stayed], [true, false]);
  });

  test('has its own headers and footers, not those of the previous document', async () => {
    await using engine = await startEngine({ workers: 1 });
    const footers = ['<p>one', '<p>another', '<p>one'];
    const outputs: string[] = [];
    for (const footer_html of footers) {
      const conversion = await convert(engine, '<!doctype html><p>x', { footer_html });
      assert.ok(conversion.written && conversion.stayed);
      outputs.push(comparable(conversion));
    }
    assert.notEqual(outputs[0], outputs[1]);
    assert.equal(outputs[0], outputs[2]);
  });

  test('has its own paper, not that of the previous document', async () => {
    await using engine = await startEngine({ workers: 1 });
    const sizes = ['A4', 'A4', 'A5', 'A4', 'A3'] as const;
    for (const page_size of sizes) {
      const { bytes, written } = await convert(engine, '<!doctype html><p>x', {
        page_size,
      });
      const [, width] = /\/MediaBox \[0 0 ([\d.]+)/.exec(bytes.toString('latin1')) ?? [];
      assert.ok(written);
      assert.equal(Math.round(Number(width)), { A3: 842, A4: 595, A5: 420 }[page_size]);
    }
  });

  test('is loaded by navigation if the job has options for loading or scripts', async () => {
    await using engine = await startEngine({ workers: 1 });
    for (const options of [
      { disable_javascript: true },
      { custom_css: 'p { color: red }' },
      { footer_html: '<script>1</script>' },
      { footer_html: '<img src="https://example.com/a.png">' },
      { footer_html: '<b class="service-hide">x</b>' },
      { locale: 'de-DE' },
    ] as Partial<Options>[])
      assert.equal(
        (await convert(engine, '<!doctype html><p>x', options)).written,
        false,
        JSON.stringify(options),
      );
  });
});
