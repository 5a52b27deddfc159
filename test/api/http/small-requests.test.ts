/** Small requests that once stopped the service for everyone, because a pattern or a loop took far more than linear time. */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { demo, formDataFor, htmlFile, send, type Fields } from '../../support/service/convert.ts';
import { defaultService } from '../../support/service/default-service.ts';
import type { Service } from '../../support/service/service.ts';

describe('The service answers, and /health answers meanwhile,', () => {
  let service: Service;
  before(async () => (service = await defaultService()));

  /** Returns the status of a request, after several health checks that were sent right behind it. */
  async function statusOf(fields: Fields, path = '/convert/24.04/'): Promise<number> {
    const sent = send(service, fields, { path, signal: AbortSignal.timeout(30_000) });
    for (let check = 0; check < 3; check += 1) {
      const health = await fetch(`${service.url}/health`, { signal: AbortSignal.timeout(30_000) });
      assert.equal(health.status, 200);
    }
    return (await sent).status;
  }

  test('when a document begins with many comments', async () => {
    assert.equal(await statusOf({ file: htmlFile(`${'<!---->'.repeat(40)}<p>x`, 'a.html') }), 200);
    assert.equal(await statusOf({ file: htmlFile(`${'<!--->-->'.repeat(5000)}<p>x`, 'a.html') }), 200);
  });

  test('when a header, a cookie or a matrix has many blanks or digits', async () => {
    const blanks = ' '.repeat(20_000);
    const refused: Fields[] = [
      { custom_http_header: `a:${blanks}\0` },
      { custom_http_header: `a:${blanks.slice(0, 15_000)}\0b` },
      { cookies: `a=${blanks.slice(0, 15_000)}\0b` },
      { header_matrix: '1'.repeat(100_000) },
      { print_page_range: `1${blanks.slice(0, 15_000)}x` },
    ];
    for (const fields of refused) assert.equal(await statusOf({ text: '<p>x', ...fields }), 400);
  });

  test('when cookies is sent 499 times', async () => {
    const cookies = Array.from({ length: 499 }, () => 'a;'.repeat(20_000));
    assert.equal(await statusOf({ text: '<p>x', cookies }), 400);
  });

  test('when a document has more page set-ups than allowed, and as many as allowed', async () => {
    const pages = '<p style="break-after: page">x'.repeat(150);
    const config = (count: number) =>
      JSON.stringify({ pageSetup: Array.from({ length: count }, () => ({ pages: '1-' })) });
    assert.equal(await statusOf({ text: pages, conversion_config: config(60_000) }), 400);
    assert.equal(await statusOf({ text: pages, conversion_config_file: htmlFile(config(60_000)) }), 400);
    assert.equal(await statusOf({ text: pages, conversion_config: config(1000) }), 200);
  });

  test('when a page with a debug log throws a long text', async () => {
    const script =
      "setTimeout(() => { throw '\\n'.repeat(1e6) + 'x'; }); setTimeout(() => { throw new Error('\\n    at '.repeat(1e5)); })";
    assert.equal(await statusOf({ text: `<script>${script}</script><p>x`, debug_log: true }), 200);
  });

  test('when the rows of a batch begin with many quotes, and its file name has many blanks', async () => {
    const quotes = new File([`${'""'.repeat(40)}a`], 'rows.csv');
    assert.equal(await statusOf({ text: '<p>{{a}}', rows: quotes }, '/jobs'), 400);
    const row = new File(['a\n1\n'], 'rows.csv');
    const output_name = `{{${' '.repeat(3000)}x`;
    assert.equal(await statusOf({ text: '<p>{{a}}', rows: row, output_name }, '/jobs'), 202);
  });

  test('when the content type has many blanks', async () => {
    const response = await fetch(`${service.url}/convert/24.04/`, {
      method: 'POST',
      headers: { authorization: demo, 'content-type': `a${' '.repeat(14_000)}b` },
      body: new Uint8Array(await new Response(formDataFor({ text: 'x' })).arrayBuffer()),
      signal: AbortSignal.timeout(30_000),
    });
    assert.equal(response.status, 400);
  });
});
