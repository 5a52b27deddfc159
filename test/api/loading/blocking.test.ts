import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import sharp from 'sharp';
import { convert, send } from '../../support/service/convert.ts';
import { pdfText } from '../../support/output/pdf.ts';
import { extent, readImage } from '../../support/output/image.ts';
import { defaultService } from '../../support/service/default-service.ts';
import { project, type Service } from '../../support/service/service.ts';
import { serveWeb, type Routes } from '../../support/servers/web-server.ts';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const red = [255, 0, 0] as const;

describe('Blocking', () => {
  let service: Service;
  let image: Buffer;
  before(async () => {
    service = await defaultService();
    image = await sharp({ create: { width: 40, height: 40, channels: 3, background: '#f00' } })
      .png()
      .toBuffer();
  });
  const textOf = async (fields: Parameters<typeof convert>[1]) => pdfText(await convert(service, fields));
  const shot = async (fields: Parameters<typeof convert>[1]) =>
    readImage(await convert(service, { output_format: 'png', screenshot_width: 400, ...fields }));

  test('with disable_image_loading, no images are requested or shown, including inline, background and poster images', async () => {
    const png: Routes[string] = (_request, response) =>
      response.writeHead(200, { 'content-type': 'image/png' }).end(image);
    await using web = await serveWeb({
      '/a.png': png,
      '/b.png': png,
      '/c.png': png,
      '/d.png': png,
      '/frame': '<img src="/d.png">',
    });
    const data = `data:image/png;base64,${image.toString('base64')}`;
    const text = `<!doctype html><style>div{width:40px;height:40px;background:url(${web.url}/b.png)}</style>
      <img src="${web.url}/a.png" alt="A red square"><img src="${data}" width="90" height="40"><div></div>
      <div style="background:url(${data})"></div><video poster="${web.url}/c.png"></video>
      <svg width="40" height="40"><image href="${data}" width="40" height="40"/></svg><iframe src="${web.url}/frame"></iframe>`;
    assert.ok(extent(await shot({ text }), red));
    assert.deepEqual([...new Set(web.requestedPaths)].sort(), [
      '/a.png',
      '/b.png',
      '/c.png',
      '/d.png',
      '/frame',
    ]);
    const before = web.requestedPaths.length;
    assert.equal(extent(await shot({ text, disable_image_loading: true }), red), undefined);
    assert.deepEqual(web.requestedPaths.slice(before), ['/frame']);
    assert.equal(await textOf({ text, disable_image_loading: true }), 'A red square');
    assert.equal(
      extent(await shot({ text: `<img src="${data}">`, disable_image_loading: true }), red),
      undefined,
    );
  });

  test('a blocked image shows its alternative text in its area, without a broken-image icon', async () => {
    const html = (style: string) =>
      `<!doctype html><body style="margin:0"><img src="a.png" alt="" ${style}><img src="b.png" ${style}><img src="c.png" alt="x" style="color:#f00">`;
    const { width, height, at } = await shot({
      text: html('width="100" height="50"'),
      disable_image_loading: true,
    });
    for (let y = 0; y < height; y += 1)
      for (let x = 0; x < Math.min(200, width); x += 1)
        assert.deepEqual(at(x, y), [255, 255, 255], `${x},${y}`);
    assert.ok(
      (extent(await shot({ text: html('width="100" height="50"'), disable_image_loading: true }), red)
        ?.left ?? 0) >= 200,
    );
  });

  test('a font from another site is loaded without CORS permission, unless disable_remote_fonts is set', async () => {
    const font = readFileSync(join(project, 'node_modules/bootstrap-icons/font/fonts/bootstrap-icons.woff2'));
    await using web = await serveWeb({
      '/icons.woff2': (_request, response) =>
        response.writeHead(200, { 'content-type': 'font/woff2' }).end(font),
    });
    const text = `<style>@font-face{font-family:i;src:url(${web.url}/icons.woff2)} p{font:40px i;color:#f00;margin:0}</style><p>&#xf4e0;`;
    const shown = extent(await shot({ text }), red);
    const without = extent(await shot({ text, disable_remote_fonts: true }), red);
    assert.equal(web.requestedPaths.length, 1);
    assert.notDeepEqual(without, shown);
    const inlined = text.replace(
      `${web.url}/icons.woff2`,
      `data:font/woff2;base64,${font.toString('base64')}`,
    );
    assert.deepEqual(extent(await shot({ text: inlined, disable_remote_fonts: true }), red), shown);
  });

  test('load_iframes determines whether all frames, same-origin frames or no frames are loaded', async () => {
    await using foreign = await serveWeb({
      '/': '<p>foreign',
      '/moved': (_request, response) => response.writeHead(302, { location: `${web.url}/page` }).end(),
    });
    await using web = await serveWeb({
      '/page': `<p>page</p><iframe src="/own"></iframe><iframe src="http://localhost:${foreign.port}/"></iframe>
        <iframe srcdoc="<p>inline</p><script>parent.document.body.append('ran')</script>"></iframe><iframe src="data:text/html,<p>data"></iframe>`,
      '/own': '<p>own',
    });
    const words = async (fields: object) =>
      (await textOf({ url: `${web.url}/page`, ...fields })).split(' ').sort();
    const everything = ['data', 'foreign', 'inline', 'own', 'page', 'ran'];
    assert.deepEqual(await words({}), everything);
    assert.deepEqual(await words({ load_iframes: 'same-origin' }), ['inline', 'own', 'page', 'ran']);
    const url = `http://localhost:${foreign.port}/moved`;
    assert.deepEqual(await words({ url, load_iframes: 'same-origin' }), ['inline', 'own', 'page', 'ran']);
    assert.deepEqual(await words({ load_iframes: 'none' }), ['page']);
    assert.deepEqual(await words({ load_iframes: 'none', disable_javascript: true }), ['page']);
    assert.deepEqual(await words({}), everything);
  });

  test('with block_ads, requests to advertising networks are not sent, and are counted in the debug log', async () => {
    const text = '<p>page</p><script src="http://www.googletagmanager.com/gtag.js"></script>';
    const fail_on_any_url_error = true;
    await assert.rejects(convert(service, { text, fail_on_any_url_error }), /googletagmanager/);
    assert.equal(await textOf({ text, fail_on_any_url_error, block_ads: true }), 'page');
    const answer = await send(service, { text, block_ads: true, debug_log: true });
    const log = await fetch(answer.headers.get('x-service-debug-log') ?? '');
    assert.match(await log.text(), /1 request was not made because of block_ads/);
  });
});
