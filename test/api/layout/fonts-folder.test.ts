/** Fonts in the data folder. Linux only: on other systems, operators install fonts in the system. */
import assert from 'node:assert/strict';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { SelfTestReport } from '../../../main/console/contract.ts';
import { convert } from '../../support/service/convert.ts';
import { fontNamed } from '../../support/pages/font.ts';
import { basic, openServiceDatabase } from '../../support/service/job-record.ts';
import { pdfFonts } from '../../support/output/pdf.ts';
import { startService, temporaryFolder, type Service } from '../../support/service/service.ts';

const skip = process.platform !== 'linux' && 'only Linux uses fonts in the data folder';
const text = '<p style="font-family: Dandelions Sans">Quick fox';

describe('The fonts in the data folder', { skip }, () => {
  describe('with a font and a fonts.conf', () => {
    let service: Service;
    before(async () => {
      const alias =
        '<alias binding="same"><family>House Font</family><prefer><family>Dandelions Sans</family></prefer></alias>';
      service = await startWith({
        'house/dandelions.ttf': fontNamed('Dandelions'),
        'fonts.conf': Buffer.from(`<?xml version="1.0"?><fontconfig>${alias}</fontconfig>`),
      });
    });
    after(() => service[Symbol.asyncDispose]());

    test('are available to pages, in addition to the fonts of the system', async () => {
      assert.match(pdfFonts(await convert(service, { text })), /DandelionsSans/);
      assert.match(pdfFonts(await convert(service, { text: '<p>Quick fox' })), /Liberation|DejaVu|Noto/);
      const { message, warning } = await fontCheckOf(service);
      assert.match(message, /these fonts of .*fonts: Dandelions Sans\.$/);
      assert.equal(warning, undefined);
    });

    test('can replace other fonts if fonts.conf says so', async () => {
      const document = '<p style="font-family: House Font">Quick fox';
      assert.match(pdfFonts(await convert(service, { text: document })), /DandelionsSans/);
    });
  });

  test('that cannot be used are listed by the self-test with the reason', async () => {
    await using service = await startWith({ 'web.woff2': Buffer.from('wOF2') });
    const { message, warning } = await fontCheckOf(service);
    assert.equal(warning, true);
    assert.match(message, /cannot use .*: web\.woff2\. .*TTF, OTF and TTC/);
  });

  test('have a folder after the first start, and are listed by the self-test if they are added while the service runs', async () => {
    await using service = await startWith({});
    assert.match((await fontCheckOf(service)).message, /^There are no fonts in .*fonts\.$/);
    writeFileSync(join(service.data, 'fonts', 'late.ttf'), fontNamed('Nightshade'));
    const { message } = await fontCheckOf(service);
    assert.match(message, /cannot use .*: late\.ttf\. Restart the service/);
  });
});

/** Starts a service with these files in its font folder. */
async function startWith(files: Readonly<Record<string, Buffer>>): Promise<Service> {
  const data = temporaryFolder();
  for (const [name, content] of Object.entries(files)) {
    const path = join(data, 'fonts', name);
    mkdirSync(join(path, '..'), { recursive: true });
    writeFileSync(path, content);
  }
  try {
    return await startService({ data, flags: ['--accounts', 'boss:key', '--memory-reserve', '1MB'] });
  } catch (problem) {
    rmSync(data, { recursive: true });
    throw problem;
  }
}

/** Returns the result of the font check of the self-test. */
async function fontCheckOf(service: Service): Promise<SelfTestReport['checks'][number]> {
  await using record = await openServiceDatabase(service);
  await record.book.change('boss', { operator: true });
  const headers = { authorization: basic('boss'), accept: 'application/json' };
  const { checks } = (await (
    await fetch(`${service.url}/self-test`, { method: 'POST', headers })
  ).json()) as SelfTestReport;
  const check = checks.find(({ name }) => name === 'custom fonts');
  if (check === undefined) throw new Error('the self-test has no such check');
  return check;
}
