import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { convert, send } from '../../support/service/convert.ts';
import { pdfText } from '../../support/output/pdf.ts';
import { startService, type Service } from '../../support/service/service.ts';
import { heavyPages } from './heavy-pages.ts';

describe('A page that exhausts resources does not affect other jobs:', { concurrency: 2 }, () => {
  let service: Service;
  before(async () => {
    // The third window converts the letters, while two heavy pages use the others.
    const flags = ['--workers', '3', '--job-timeout', '4', '--page-memory', '500MB', '--max-output', '20MB'];
    service = await startService({ flags });
  });
  after(() => service[Symbol.asyncDispose]());

  for (const { what, fields, expected } of heavyPages)
    test(what, { timeout: 120_000 }, async () => {
      const heavy = send(service, fields());
      assert.equal((await fetch(`${service.url}/health`)).status, 200);
      const { status, body } = await heavy;
      const outcome = status === 200 ? `converted: ${pdfText(body, 1)}` : body.toString();
      assert.match(outcome.slice(0, 500), expected);
      assert.equal(pdfText(await convert(service, { text: 'a letter' })), 'a letter');
    });

  test('the service log contains no errors', () => {
    assert.doesNotMatch(service.log(), /"level":[56]0|unexpected fault|(is|was) restarted/);
  });
});
