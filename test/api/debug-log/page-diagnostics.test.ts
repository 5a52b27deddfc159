import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import sharp from 'sharp';
import { eventsOf, type EventOf, type LogEvent } from '../../../main/log/events.ts';
import { htmlFile, send, type Fields } from '../../support/service/convert.ts';
import { pdfImage } from '../../support/output/pdf.ts';
import { isNear, readImage } from '../../support/output/image.ts';
import type { Service } from '../../support/service/service.ts';
import { defaultService } from '../../support/service/default-service.ts';
import { serveWeb } from '../../support/servers/web-server.ts';

const doctype = '<!doctype html><style>body{margin:0;font:16px/20px serif}</style>';
const lines = (count: number) => Array.from({ length: count }, (_, n) => `line ${n + 1}`).join('<br>');

describe('Page diagnostics in the debug log', () => {
  let service: Service;
  before(async () => (service = await defaultService()));

  const convertLogged = async (fields: Fields) => {
    const { body, headers, status } = await send(service, { ...fields, debug_log: true });
    assert.equal(status, 200, body.toString());
    const link = headers.get('x-service-debug-log') ?? '';
    const answer = await fetch(link, { headers: { accept: 'application/json' } });
    const { events } = (await answer.json()) as { events: readonly LogEvent[] };
    return { body, headers, events };
  };
  const eventOf = async <K extends LogEvent['kind']>(
    kind: K,
    fields: Fields,
  ): Promise<EventOf<K> | undefined> => eventsOf((await convertLogged(fields)).events, kind)[0];

  test('report a missing font with the font used instead', async () => {
    const text = `${doctype}<p class="intro" style="font-family:'Corporate Sans', 'Liberation Mono'">twelve letters`;
    const stack = (await eventOf('fonts', { text }))?.detail.stacks[0];
    assert.deepEqual(
      [stack?.families, stack?.characters, stack?.element],
      ['"Corporate Sans", "Liberation Mono"', 13, 'p.intro'],
    );
    assert.deepEqual(stack?.used, [{ family: 'Liberation Mono', glyphs: 14, web: false }]);
  });

  test('report characters from a fallback font, with the name of that font', async () => {
    const text = `${doctype}<p style="font-family:'Liberation Serif'">abc<p style="font-family:'Liberation Serif'">你好`;
    const used = (await eventOf('fonts', { text }))?.detail.stacks[0]?.used ?? [];
    assert.equal(used[0]?.family, 'Liberation Serif');
    assert.match(used[1]?.family ?? '', /CJK/);
  });

  test('report a web font that cannot be loaded', async () => {
    await using web = await serveWeb({});
    const face = `@font-face{font-family:Corp;src:url(${web.url}/corp.woff2)}`;
    const unused = `@font-face{font-family:Other;src:url(${web.url}/other.woff2)}`;
    const text = `${doctype}<style>${face}${unused}</style><p style="font-family:Corp">x`;
    const fonts = await eventOf('fonts', { text });
    assert.deepEqual(fonts?.detail.failed, ['Corp']);
    assert.match(fonts.text, /Not loaded: Corp/);
  });

  test('report characters without a glyph, in text and in generated content', async () => {
    const icon = '<style>.home::before{content:"\\f015"}</style><i class="home"></i>';
    const text = `${doctype}<p id="p">\ue123 text \ue123 € 你 😀 ﬁ → ✓</p>${icon}`;
    const missing = (await eventOf('fonts', { text }))?.detail.missing;
    assert.deepEqual(missing, [
      { character: '\ue123', count: 2, element: 'p#p' },
      { character: '\uf015', count: 1, element: 'i.home' },
    ]);
  });

  test('report an image with far more pixels than paper can show, but not an image at print resolution', async () => {
    const image = async (width: number, height: number) => {
      const bytes = await sharp({ create: { width, height, channels: 3, background: 'red' } })
        .jpeg()
        .toBuffer();
      return `data:image/jpeg;base64,${bytes.toString('base64')}`;
    };
    const style = 'width:300px;height:200px';
    const text = `${doctype}<img id="large" src="${await image(4000, 3000)}" style="${style}"><img src="${await image(1250, 830)}" style="${style}">`;
    const images = (await eventOf('images', { text }))?.detail.images ?? [];
    assert.deepEqual(
      images.map(({ element, problem, natural, shown }) => ({ element, problem, natural, shown })),
      [
        {
          element: 'img#large',
          problem: 'oversized',
          natural: { width: 4000, height: 3000 },
          shown: { width: 300, height: 200 },
        },
      ],
    );
    assert.ok(JSON.stringify(images).length < 500);
  });

  test('report a broken image with its URL', async () => {
    const images = await eventOf('images', { text: `${doctype}<img src="gone.png" alt="x">` });
    assert.deepEqual(
      images?.detail.images.map(({ url, problem }) => [url, problem]),
      [['gone.png', 'broken']],
    );
  });

  test('report an overflow of 3 px only once, and ignore half a pixel', async () => {
    const wide = (more: string) =>
      `${doctype}<div class="wide" style="width:calc(100% + ${more})"><p>x</div>`;
    const breaks = await eventOf('breaks', { text: wide('3px'), content_viewport_width: 800 });
    assert.deepEqual(breaks?.detail.overflows, [{ element: 'div.wide', by: 3 }]);
    assert.equal(await eventOf('breaks', { text: wide('.5px'), content_viewport_width: 800 }), undefined);
  });

  test('count the characters lost when Windows-1252 is declared as UTF-8', async () => {
    const bytes = Buffer.from('<meta charset=utf-8><p>M\xfcller & S\xf6hne', 'latin1');
    const encoding = await eventOf('encoding', { file: htmlFile(Uint8Array.from(bytes)) });
    assert.deepEqual(encoding?.detail, { encoding: 'UTF-8', declared: 'meta', replaced: 2 });
  });

  test('report UTF-8 read as Windows-1252, with an excerpt of the garbled text', async () => {
    const encoding = await eventOf('encoding', {
      file: htmlFile('<meta charset=windows-1252><p>Müller – „Söhne“'),
    });
    assert.deepEqual([encoding?.detail.encoding, encoding?.detail.declared], ['windows-1252', 'meta']);
    assert.match(encoding?.detail.garbled ?? '', /MÃ¼ller â€“/);
  });

  test('count U+FFFD, and report whether a byte order mark or Content-Type declares the encoding', async () => {
    assert.equal((await eventOf('encoding', { text: '<p>a\ufffdb\ufffd' }))?.detail.replaced, 2);
    assert.equal((await eventOf('encoding', { file: htmlFile('\ufeff<p>x') }))?.detail.declared, 'mark');
    assert.equal((await eventOf('encoding', { file: htmlFile('<p>x') }))?.detail.declared, 'nothing');
    await using web = await serveWeb({
      '/': (_request, response) =>
        response.writeHead(200, { 'content-type': 'text/html; charset=iso-8859-15' }).end('<p>x'),
    });
    const { encoding, declared } = (await eventOf('encoding', { url: `${web.url}/` }))?.detail ?? {};
    assert.deepEqual([encoding, declared], ['ISO-8859-15', 'header']);
  });

  const validDocument = `${doctype}<meta charset="utf-8"><h1>Größe</h1><p style="font-family:'Liberation Sans'">« voilà » Straße „Fuß“ ÄÖÜ § 5 €</p>
    <table>${`<tr style="break-inside:avoid"><td>${lines(2)}</td></tr>`.repeat(80)}</table>`;

  test('report no problems for a document without faults', async () => {
    const { events } = await convertLogged({ file: htmlFile(validDocument) });
    assert.deepEqual(
      events.filter(({ kind }) => kind === 'images' || kind === 'breaks'),
      [],
    );
    const fonts = events.find((event) => event.kind === 'fonts');
    assert.deepEqual([fonts?.detail.failed, fonts?.detail.missing], [[], []]);
    const encoding = events.find((event) => event.kind === 'encoding');
    assert.deepEqual(encoding?.detail, { encoding: 'UTF-8', declared: 'meta', replaced: 0 });
    assert.ok(!events.some(({ text }) => text.includes('log is incomplete')));
  });

  test('do not change the document', async () => {
    for (const more of [{}, { header_html: '<b>head</b>', enable_pdf_forms: true }]) {
      const text = `${validDocument}<form><input name="a" value="b"></form><script>new MutationObserver(() => document.body.append('seen')).observe(document, {attributes: true, subtree: true});
        for (const event of ['resize', 'scroll']) addEventListener(event, () => document.body.append(event));
        document.addEventListener('visibilitychange', () => document.body.append('hidden'))</script>`;
      const { body, headers } = await convertLogged({ text, ...more });
      const plain = await send(service, { text, ...more });
      assert.equal(headers.get('x-service-total-pages'), plain.headers.get('x-service-total-pages'));
      for (const page of [1, 2]) assert.deepEqual(pdfImage(body, 1, page), pdfImage(plain.body, 1, page));
    }
  });

  test('request the page and its style sheets only once, as without a debug log', async () => {
    let requested: string[] = [];
    const counted =
      (type: string, body: string) =>
      (
        request: { url?: string | undefined },
        response: {
          writeHead: (status: number, headers: Record<string, string>) => { end: (body: string) => unknown };
        },
      ) => {
        requested.push(request.url ?? '');
        return response.writeHead(200, { 'content-type': type, 'cache-control': 'no-store' }).end(body);
      };
    await using web = await serveWeb({
      '/': counted('text/html', '<link rel="stylesheet" href="/a.css"><p>x'),
      '/a.css': counted('text/css', 'p{color:red}'),
    });
    await convertLogged({ url: `${web.url}/` });
    assert.deepEqual(requested, ['/', '/a.css']);
    requested = [];
    await send(service, { url: `${web.url}/` });
    assert.deepEqual(requested, ['/', '/a.css']);
  });

  test('include a screenshot with colours, images and text, for pages with and without scripts', async () => {
    const red = await sharp({ create: { width: 40, height: 40, channels: 3, background: 'red' } })
      .png()
      .toBuffer();
    const image = `<img src="data:image/png;base64,${red.toString('base64')}" style="display:block;width:512px;height:512px">`;
    const box = '<div style="height:512px;background:rgb(0,0,255)"></div>';
    const text = `${doctype}${image}${box}<p style="font:400px/400px 'Liberation Mono';margin:0">█`;
    for (const script of ['', '<script>1</script>']) {
      const { detail } = (await eventOf('screenshot', { text: text + script })) ?? {};
      assert.ok(detail !== undefined && detail.data.length < 60_000);
      const image = await readImage(Buffer.from(detail.data, 'base64'));
      assert.deepEqual([image.width, image.height], [detail.width, detail.height]);
      assert.equal(image.width, 320);
      assert.ok(isNear(image.at(80, 80), [255, 0, 0]) && isNear(image.at(240, 80), [255, 255, 255]));
      assert.ok(isNear(image.at(160, 240), [0, 0, 255]) && isNear(image.at(30, 380), [0, 0, 0]));
    }
  });

  test('omit an image from another site from the screenshot, but show the rest of the page', async () => {
    const gif = Buffer.from('R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==', 'base64');
    await using web = await serveWeb({
      '/a.gif': (_request, response) => response.writeHead(200, { 'content-type': 'image/gif' }).end(gif),
    });
    const text = `${doctype}<img src="${web.url}/a.gif"><div style="height:512px;background:rgb(0,0,255)"></div>`;
    const image = await eventOf('screenshot', { text });
    const { at } = await readImage(Buffer.from(image?.detail.data ?? '', 'base64'));
    assert.ok(isNear(at(160, 100), [0, 0, 255]));
  });

  test('are also made for image output', async () => {
    const text = `${doctype}<p style="font-family:'Corporate Sans','Liberation Mono'">\ue123`;
    const { events } = await convertLogged({ text, output_format: 'png' });
    const fonts = events.find((event) => event.kind === 'fonts');
    assert.equal(fonts?.detail.missing[0]?.character, '\ue123');
  });
});
