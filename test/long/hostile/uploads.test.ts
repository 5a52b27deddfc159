import assert from 'node:assert/strict';
import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { convert, refusal } from '../../support/service/convert.ts';
import { openEscapeDetector, type EscapeDetector } from '../../support/service/escape-detector.ts';
import { pdfText } from '../../support/output/pdf.ts';
import { startService, type Service } from '../../support/service/service.ts';
import { archives } from './uploads/archives.ts';
import { stamps } from './uploads/stamps.ts';
import { fillings } from './uploads/templates.ts';
import { assertHarmless } from './uploads/upload.ts';

test('this suite detects writes outside the folder of a job', () => {
  for (const escape of [
    ({ folder, marker }: EscapeDetector) => {
      writeFileSync(join(folder, marker), '');
    },
    ({ data, marker }: EscapeDetector) => {
      writeFileSync(join(data, `${marker}.html`), '');
    },
    ({ folder }: EscapeDetector) => {
      writeFileSync(join(folder, 'a', 'any'), '');
    },
    ({ sentinel }: EscapeDetector) => {
      appendFileSync(sentinel, 'evil');
    },
  ]) {
    using detector = openEscapeDetector();
    assert.deepEqual(detector.escapes(), []);
    escape(detector);
    assert.equal(detector.escapes().length, 1);
  }
});

describe('The service withstands', () => {
  let detector: EscapeDetector;
  let service: Service;
  before(async () => {
    detector = openEscapeDetector();
    service = await startService({ data: detector.data, flags: ['--workers', '2', '--job-timeout', '30'] });
  });
  after(async () => {
    await service[Symbol.asyncDispose]();
    detector[Symbol.dispose]();
  });

  for (const upload of [...archives, ...fillings, ...stamps])
    test(upload.what, { timeout: 120_000 }, () => assertHarmless(service, detector, upload));

  test('an endless template, while other jobs are converted', async () => {
    const loop = (inside: string) => `{% for i in range(100000) %}${inside}{% endfor %}`;
    const endless = refusal(service, { text: loop(loop(loop(''))), data_string: '{}' });
    const over = new AbortController();
    const ended = endless.finally(() => {
      over.abort();
    });
    let letters = 0;
    for (; !over.signal.aborted; letters += 1) {
      assert.equal(pdfText(await convert(service, { text: 'a letter' })), 'a letter');
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
    assert.match(await ended, /^400\.313 - .*longer than \d+ s/);
    assert.ok(letters > 1);
  });

  test('all these uploads without an error in its log', () => {
    assert.doesNotMatch(service.log(), /"level":(50|60)|unexpected fault/);
  });
});
