/** Headers and footers of so many pages that they are printed in several parts. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { before, test } from 'node:test';
import sharp from 'sharp';
import { convert, send } from '../../support/service/convert.ts';
import { pdfText } from '../../support/output/pdf.ts';
import type { Service } from '../../support/service/service.ts';
import { defaultService } from '../../support/service/default-service.ts';
import { count, number, pages } from '../../support/pages/numbered-pages.ts';

let service: Service;
before(async () => {
  service = await defaultService();
});

test('a thousand pages have a thousand correct footers', async () => {
  const pdf = await convert(service, { text: pages(1000), footer_html: `Page ${number} of ${count}` });
  for (const page of [1, 2, 100, 101, 500, 999, 1000])
    assert.equal(pdfText(pdf, page), `Body ${page} Page ${page} of 1000`);
});

async function headerWithImage(): Promise<string> {
  const dots = randomBytes(60 * 20 * 4);
  const logo = await sharp(dots, { raw: { width: 60, height: 20, channels: 4 } })
    .png()
    .toBuffer();
  return `<img src="data:image/png;base64,${logo.toString('base64')}" style="height: 20px"> Page ${number}`;
}

test('an image in the header of 250 pages is recompressed only once', async () => {
  const options = { convert_images_to_jpeg: 'all', jpeg_quality: 50, debug_log: true };
  const answer = await send(service, {
    text: pages(250),
    header_html: await headerWithImage(),
    ...options,
  });
  assert.equal(answer.status, 200);
  const log = await fetch(answer.headers.get('x-service-debug-log') ?? '');
  assert.match(await log.text(), /Images: 1 of 1 recompressed/);
});

test('an image in the header of 250 pages is embedded only once', async () => {
  const pdf = await convert(service, { text: pages(250), header_html: await headerWithImage() });
  for (const page of [1, 100, 101, 201, 250]) assert.equal(pdfText(pdf, page), `Page ${page} Body ${page}`);
  const objects = pdf.toString('latin1');
  assert.equal(objects.match(/\/SMask \d+ 0 R/g)?.length, 1, 'the number of images is wrong');
  assert.equal(objects.match(/\/Subtype \/Image/g)?.length, 2, 'the number of images and masks is wrong');
});

test('a footer that is too tall on only one of many pages is cut off only there, with one note', async () => {
  const footer = `<style>.tall { display: none } .service-page-150 .tall { display: block }</style>
    <div>Foot ${number}</div><div class="tall" style="height: 200px">Tall</div><div class="tall">Below</div>`;
  const answer = await send(service, { text: pages(220), footer_html: footer, debug_log: true });
  for (const page of [1, 100, 149, 150, 151, 200, 201, 220])
    assert.match(pdfText(answer.body, page), new RegExp(`^Body ${page} Foot ${page}( Tall)?$`));
  const log = await fetch(answer.headers.get('x-service-debug-log') ?? '');
  const notes = (await log.text()).match(/The footer is \d+ px [^.]*\.\d+in\) taller/g) ?? [];
  assert.ok(notes.length > 0 && new Set(notes).size === 1, notes.join());
});
