/** Every setter of Pdfcrowd's official clients in one job: the service refuses none of their fields. */
import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { runOfficialClient, type Call, type ClientName, type Result } from '../support/official-client.ts';
import { pdfcrowdFields, pdfcrowdSetters } from '../support/pdfcrowd-fields.ts';
import { readPicture } from '../support/picture.ts';
import { startService, temporaryFolder, type Service } from '../support/service.ts';
import { samplePage, samplePicture, writeSamples } from '../support/pdfcrowd-samples.ts';
import { serveWeb, type WebServer } from '../support/web-server.ts';

/** Setters of several fields, and of the connection. */
const severalFields: Readonly<Record<string, readonly string[]>> = {
  setPageDimensions: ['page_width', 'page_height'],
  setPageMargins: ['margin_top', 'margin_right', 'margin_bottom', 'margin_left'],
  setHttpAuth: ['http_auth_user_name', 'http_auth_password'],
  setViewport: ['viewport_width', 'viewport_height'],
  setContentArea: ['content_area_x', 'content_area_y', 'content_area_width', 'content_area_height'],
};

interface DebugLog {
  readonly events: readonly {
    readonly kind: string;
    readonly detail: { readonly options?: readonly { readonly name: string; readonly from: string }[] };
  }[];
}

async function fieldsInLog({ debugLog }: Result): Promise<string[]> {
  const { events } = (await (
    await fetch(debugLog, { headers: { accept: 'application/json' } })
  ).json()) as DebugLog;
  const options = events.flatMap(({ kind, detail }) => (kind === 'options' ? (detail.options ?? []) : []));
  return options.filter(({ from }) => from === 'request').map(({ name }) => name);
}

describe('The official Pdfcrowd client, with every setter called', () => {
  let service: Service;
  let web: WebServer;
  const folder = temporaryFolder();
  before(async () => {
    const picture = await samplePicture();
    const pictureRoute = {
      '/picture.png': (_: unknown, response: { end: (bytes: Buffer) => void }) => {
        response.end(picture);
      },
    };
    web = await serveWeb({ '/piece.html': '<p>a piece', ...pictureRoute });
    service = await startService({ flags: ['--alias', 'pdfcrowd', '--network-allow', '127.0.0.1'] });
  });
  after(async () => {
    await service[Symbol.asyncDispose]();
    await web[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true, force: true });
  });

  async function convertWithAll(client: ClientName): Promise<Result> {
    const sample = await writeSamples({ folder, host: new URL(web.url).host });
    const port = Number(new URL(service.url).port);
    const connection: Readonly<Record<string, readonly unknown[]>> = {
      setConverterVersion: ['24.04'],
      setUseHttp: [true],
      setClientUserAgent: ['program/1.0'],
      setUserAgent: ['program/1.0'],
      setProxy: ['127.0.0.1', port, 'someone', 'secret'],
      setRetryCount: [1],
    };
    const calls = pdfcrowdSetters(client).map(({ method, fields }): Call => {
      const several = severalFields[method] ?? fields;
      return [method, ...(connection[method] ?? several.map(sample))];
    });
    const [result] = await runOfficialClient({ client, calls: [...calls, ['convertString', samplePage]] });
    assert.ok(result);
    assert.equal(result.error, undefined);
    return result;
  }

  const inputs = ['url', 'file', 'stream'];

  test('creates a PDF, and every field arrives', async () => {
    const result = await convertWithAll('HtmlToPdfClient');
    assert.match(result.output.subarray(0, 8).toString('latin1'), /^%PDF-/);
    const seen = await fieldsInLog(result);
    const missing = pdfcrowdFields('HtmlToPdfClient').filter((name) => !seen.includes(name));
    assert.deepEqual(missing, inputs);
  });

  test('creates an image, and every field arrives', async () => {
    const result = await convertWithAll('HtmlToImageClient');
    assert.equal((await readPicture(result.output)).format, 'png');
    const seen = await fieldsInLog(result);
    const missing = pdfcrowdFields('HtmlToImageClient').filter((name) => !seen.includes(name));
    assert.deepEqual(missing, inputs);
  });
});
