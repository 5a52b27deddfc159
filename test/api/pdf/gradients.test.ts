/** Gradients that Chromium prints as functions, which pdf.js does not draw. */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { differingShare, readImage } from '../../support/output/image.ts';
import { viewers } from '../../support/output/pdf-viewers.ts';
import { convert, type Fields } from '../../support/service/convert.ts';
import { defaultService } from '../../support/service/default-service.ts';
import type { Service } from '../../support/service/service.ts';

let service: Service;
before(async () => {
  service = await defaultService();
});

const svg = (gradient: string) =>
  `<svg width="180" height="120"><defs>${gradient}</defs><rect width="180" height="120" fill="url(#g)"/></svg>`;
const stops = '<stop offset=".2" stop-color="navy"/><stop offset="1" stop-color="orange"/>';
const gradients = {
  'stripes with hard edges': 'background: repeating-linear-gradient(-30deg, teal 0 15px, gold 0 33px)',
  'repeated linear changes': 'background: repeating-linear-gradient(70deg, black, lime 25px, white 60px)',
  'rings around a point beside the box':
    'background: repeating-radial-gradient(circle at -20px 30%, navy 5px, #fc0 35px)',
  'elliptic rings':
    'background: repeating-radial-gradient(50px 20px at 60% 40%, red 0 30%, #fff 0 60%, green)',
  'a pie': 'background: conic-gradient(green 0 70%, #ddd 0)',
  'a colour wheel in a circle':
    'border-radius: 50%; background: conic-gradient(from 45deg at 40% 60%, red, yellow, lime, aqua, blue, magenta, red)',
  'a conic gradient around a point beside the box':
    'background: conic-gradient(at 130% -40%, red, blue 60%, lime 70%)',
  'a rotated conic gradient': 'rotate: 25deg; background: conic-gradient(navy, orange)',
};
const drawings = {
  'a reflected linear gradient in SVG': `<linearGradient id="g" x2=".2" y2=".1" spreadMethod="reflect">${stops}</linearGradient>`,
  'a repeated radial gradient with a focal point': `<radialGradient id="g" r=".3" fx=".4" fy=".4" fr=".02" spreadMethod="repeat">${stops}</radialGradient>`,
};
const transparent = {
  'a transparent conic gradient': 'background: conic-gradient(rgb(255 0 0 / .9), rgb(255 0 0 / .1))',
  'transparent stripes':
    'background: repeating-linear-gradient(20deg, rgb(0 0 255 / .8) 0 20px, rgb(0 0 255 / .2) 0 45px)',
};

const bodies = new Map([
  ...Object.entries({ ...gradients, ...transparent }).map(
    ([name, style]) => [name, `<div style="width: 180px; height: 120px; ${style}"></div>`] as const,
  ),
  ...Object.entries(drawings).map(([name, gradient]) => [name, svg(gradient)] as const),
]);

const documentOf = (body: string) =>
  `<!doctype html><style>body { margin: 0; padding: 40px; background: white } svg { display: block }</style>${body}`;

const paper: Fields = {
  page_width: '195pt',
  page_height: '150pt',
  no_margins: true,
  content_viewport_width: '260px',
};
const screenshot: Fields = { output_format: 'png', screenshot_width: 260, screenshot_height: 200 };

/** Edges differ, because some viewers do not smooth them. */
const tolerance = 24;

describe('gradients look the same in every viewer as on screen', () => {
  for (const [name, body] of bodies)
    test(name, async () => {
      const text = documentOf(body);
      const screen = await readImage(await convert(service, { text, ...screenshot }));
      const pdf = await convert(service, { text, ...paper });
      for (const [viewer, draw] of Object.entries(viewers)) {
        // Outside a browser, pdf.js does not draw soft masks.
        if (viewer === 'pdf.js' && name in transparent) continue;
        const share = differingShare(screen, await readImage(await draw(pdf, 4 / 3)), tolerance);
        assert.ok(share < 0.05, `${viewer}: ${(share * 100).toFixed(1)} % of the pixels differ`);
      }
    });

  test('in documents for archiving, and in headers', async () => {
    const conic = '<div style="height: 20px; background: conic-gradient(red, blue)"></div>';
    const fields = { text: `<title>T</title>${conic}`, header_html: conic, header_height: '20mm' };
    const archived = await convert(service, { ...fields, pdf_standard: 'pdfa-2b' });
    const content = archived.toString('latin1');
    assert.doesNotMatch(content, /\/ShadingType 1\b/);
    assert.equal(content.match(/\/ShadingType 5\b/g)?.length, 2);
    assert.match(content, /<pdfaid:part>2</);
  });
});
