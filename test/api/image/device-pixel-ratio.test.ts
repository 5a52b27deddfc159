/** The device pixel ratio of pages, which affects canvases, srcset and image-set, in images and PDF documents. */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import sharp from 'sharp';
import { convert, htmlFile, type Fields } from '../../support/service/convert.ts';
import { pdfImage, pdfText } from '../../support/output/pdf.ts';
import { isNear, readImage, type Colour, type PixelImage } from '../../support/output/image.ts';
import type { Service } from '../../support/service/service.ts';
import { defaultService } from '../../support/service/default-service.ts';
import { zip } from '../../support/archives/zip-writer.ts';

const red: Colour = [255, 0, 0];
const green: Colour = [0, 128, 0];

function square(colour: string): Promise<Buffer> {
  const create = { width: 10, height: 10, channels: 3, background: colour } as const;
  return sharp({ create }).png().toBuffer();
}

/** A canvas with black and white lines, each one device pixel wide. */
const canvas = `<canvas style="display:block;width:100px;height:100px"></canvas><script>
  const [canvas] = document.getElementsByTagName('canvas');
  canvas.width = canvas.height = 100 * devicePixelRatio;
  const context = canvas.getContext('2d');
  for (let x = 0; x < canvas.width; x += 2) context.fillRect(x, 0, 1, canvas.height);
</script>`;

describe('The device pixel ratio', () => {
  let service: Service;
  before(async () => (service = await defaultService()));

  /** A page with image candidates for two ratios. An archive, because of data: URLs Chromium always uses the densest candidate. */
  const dense = async () => {
    const redSquare = await square('rgb(255,0,0)');
    const two = await square('rgb(0,128,0)');
    const html = `<!doctype html><style>body { margin: 0 } img, div { display: block; width: 100px; height: 100px }
      div { background: image-set(url(one.png) 1x, url(two.png) 2x) }</style>
      <img srcset="one.png 1x, two.png 2x"><div></div>`;
    const items = [
      { name: 'index.html', contents: html },
      { name: 'one.png', contents: redSquare },
      { name: 'two.png', contents: two },
    ];
    return htmlFile(new Uint8Array(zip(items)), 'page.zip');
  };
  const png = async (fields: Fields): Promise<PixelImage> =>
    readImage(await convert(service, { output_format: 'png', ...fields }));

  test('of an image is its scale_factor, which makes canvases sharp and selects from srcset and image-set', async () => {
    const lines = await png({ text: `<style>body { margin: 0 }</style>${canvas}`, scale_factor: 200 });
    assert.equal(lines.width, 2048);
    const row = Array.from({ length: 200 }, (_, x) => lines.at(x, 50)[0]);
    assert.deepEqual(
      row,
      row.map((_, x) => (x % 2 === 0 ? 0 : 255)),
    );
    const images = await png({ file: await dense(), scale_factor: 200 });
    for (const y of [100, 300]) assert.deepEqual(images.at(100, y), green);
    const unscaled = await png({ file: await dense() });
    for (const y of [50, 150]) assert.deepEqual(unscaled.at(50, y), red);
  });

  test('never changes the size of an image', async () => {
    for (const device_pixel_ratio of [1, 1.5, 4]) {
      const { width, height, at } = await png({ file: await dense(), device_pixel_ratio, scale_factor: 150 });
      assert.deepEqual([width, height], [1536, 300], String(device_pixel_ratio));
      assert.ok(isNear(at(75, 75), device_pixel_ratio === 1 ? red : green), String(device_pixel_ratio));
    }
  });

  test('of a PDF is 1 by default, and can be increased, also for pages without scripts', async () => {
    const ratio = `<p id="ratio"></p><script>ratio.textContent = 'ratio ' + devicePixelRatio</script>`;
    assert.match(pdfText(await convert(service, { text: ratio })), /ratio 1$/);
    assert.match(pdfText(await convert(service, { text: ratio, device_pixel_ratio: '2.5' })), /ratio 2\.5$/);
    const fields = { content_viewport_width: 'balanced', no_margins: true };
    const colours = async (more: Fields) => {
      const pdf = await convert(service, { file: await dense(), ...fields, ...more });
      const image = await readImage(pdfImage(pdf));
      return [image.at(40, 40), image.at(40, 110)].map((at) => (isNear(at, red) ? '1x' : '2x'));
    };
    assert.deepEqual(await colours({}), ['1x', '1x']);
    assert.deepEqual(await colours({ device_pixel_ratio: 2 }), ['2x', '2x']);
    // The window of the previous job is reused.
    assert.deepEqual(await colours({}), ['1x', '1x']);
  });

  test('does not change line and page breaks', async () => {
    const text = `<p>${'The quick brown fox jumps over the lazy dog. '.repeat(400)}</p>`;
    const unscaled = pdfText(await convert(service, { text }));
    assert.equal(pdfText(await convert(service, { text, device_pixel_ratio: 4 })), unscaled);
  });

  test('of 4 does not change the size and content of an image of 1024 x 30,000 pixels', async () => {
    const text = `<body style="margin:0"><div style="height:30000px;
      background:repeating-linear-gradient(rgb(255,0,0) 0 50px,rgb(0,0,255) 50px 120px)"></div>`;
    const images = await Promise.all([png({ text }), png({ text, device_pixel_ratio: 4 })]);
    const [sparser, denser] = images;
    assert.deepEqual([denser.width, denser.height], [1024, 30_000]);
    for (let y = 0; y < 30_000; y += 1) {
      // Skips the rows where two stripes meet, whose colours may be mixed.
      if ((y % 120) % 50 < 2) continue;
      if (!isNear(denser.at(500, y), sparser.at(500, y))) assert.fail(`row ${y} differs`);
    }
  });
});
