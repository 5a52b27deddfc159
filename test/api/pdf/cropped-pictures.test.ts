/** JPEG pictures of which a page shows a part. Chromium unpacks them. */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import sharp from 'sharp';
import { zip } from '../../support/archives/zip-writer.ts';
import { differingShare, readImage } from '../../support/output/image.ts';
import { viewers } from '../../support/output/pdf-viewers.ts';
import { convert, type Fields } from '../../support/service/convert.ts';
import { defaultService } from '../../support/service/default-service.ts';
import type { Service } from '../../support/service/service.ts';
import { serveWeb } from '../../support/servers/web-server.ts';

const width = 900;
const height = 640;
/** The length of the coloured squares of the picture in pixels. */
const square = 60;

let service: Service;
let jpeg: Buffer;
let jpegUrl: string;
before(async () => {
  service = await defaultService();
  jpeg = await picture().jpeg({ quality: 92 }).toBuffer();
  jpegUrl = `data:image/jpeg;base64,${jpeg.toString('base64')}`;
});

/** Returns squares of different colours with noise, which compresses badly. */
function picture(): ReturnType<typeof sharp> {
  let state = 7;
  const noise = () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return (state >> 16) % 16;
  };
  const pixels = Buffer.alloc(width * height * 3);
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) {
      const cell = Math.floor(x / square) * 31 + Math.floor(y / square) * 57;
      for (let channel = 0; channel < 3; channel += 1)
        pixels[(y * width + x) * 3 + channel] = ((cell * (channel + 3) * 37) % 240) + noise();
    }
  return sharp(pixels, { raw: { width, height, channels: 3 } });
}

const styles = {
  'object-fit: cover': (url: string) =>
    `<img src="${url}" style="width: 210px; height: 130px; object-fit: cover">`,
  'object-position in a circle': (url: string) =>
    `<img src="${url}" style="width: 150px; height: 150px; object-fit: cover; object-position: 83% 0; border-radius: 50%">`,
  'a background that covers its box, rotated': (url: string) =>
    `<div style="width: 120px; height: 160px; rotate: 90deg; background: url(${url}) 30% / cover"></div>`,
  'a clipped picture of SVG': (url: string) =>
    `<svg width="200" height="90" style="clip-path: inset(5px)"><image href="${url}" width="200" height="90" preserveAspectRatio="xMaxYMin slice"/></svg>`,
};

const documentOf = (body: string) =>
  `<!doctype html><style>body { margin: 0; padding: 30px } img, svg { display: block }</style>${body}`;
const paper: Fields = {
  page_width: '195pt',
  page_height: '165pt',
  no_margins: true,
  content_viewport_width: '260px',
};
const screenshot: Fields = { output_format: 'png', screenshot_width: 260, screenshot_height: 220 };

/** Allows for noise. A shift by two pixels changes a tenth of the pixels. */
const tolerance = 40;

describe('a document with a part of a JPEG picture has about the size of the picture, and looks the same', () => {
  for (const [name, bodyOf] of Object.entries(styles))
    test(name, async () => {
      const text = documentOf(bodyOf(jpegUrl));
      const pdf = await convert(service, { text, ...paper });
      assert.ok(pdf.length < jpeg.length + 10_000, `${pdf.length} bytes; the JPEG has ${jpeg.length}`);
      assert.ok(pdf.includes(jpeg), 'the document does not have the JPEG itself');
      const screen = await readImage(await convert(service, { text, ...screenshot }));
      for (const [viewer, draw] of Object.entries(viewers)) {
        const share = differingShare(screen, await readImage(await draw(pdf, 4 / 3)), tolerance);
        assert.ok(share < 0.06, `${viewer}: ${(share * 100).toFixed(1)} % of the pixels differ`);
      }
    });

  for (const name of ['an archive', 'a server', 'a server, in a page with scripts'])
    test(`from ${name}`, async () => {
      const html = documentOf(
        `${name.includes('scripts') ? '<script>1</script>' : ''}${styles['object-fit: cover']('a.jpg')}`,
      );
      await using server = await serveWeb({
        '/': html,
        '/a.jpg': (_request, response) => {
          response.writeHead(200, { 'content-type': 'image/jpeg', 'content-length': jpeg.length }).end(jpeg);
        },
      });
      const archive = zip([
        { name: 'index.html', contents: html },
        { name: 'a.jpg', contents: jpeg },
      ]);
      const input: Fields =
        name === 'an archive'
          ? { file: new File([new Uint8Array(archive)], 'a.zip') }
          : { url: `${server.url}/` };
      const pdf = await convert(service, { ...input, ...paper });
      assert.ok(pdf.includes(jpeg), 'the document does not have the JPEG itself');
      assert.ok(pdf.length < jpeg.length + 10_000, `${pdf.length} bytes; the JPEG has ${jpeg.length}`);
    });

  test('several parts and the whole picture are stored once, also for archiving', async () => {
    const text = `<title>T</title>${Object.values(styles)
      .map((bodyOf) => bodyOf(jpegUrl))
      .join('')}<img src="${jpegUrl}" width="200">`;
    const pdf = await convert(service, { text, pdf_standard: 'pdfa-2b' });
    assert.ok(pdf.length < jpeg.length + 20_000, `${pdf.length} bytes; the JPEG has ${jpeg.length}`);
  });

  test('a small part of a large picture is not replaced by the picture', async () => {
    const sprite = `<div style="width: 200px; height: 200px; background: url(${jpegUrl}) -60px -60px"></div>`;
    const pdf = await convert(service, { text: sprite });
    assert.ok(pdf.length < jpeg.length, `${pdf.length} bytes; the JPEG has ${jpeg.length}`);
  });
});
