import assert from 'node:assert/strict';
import { test } from 'node:test';
import { headerValuesOf, fileNameIn } from '../../../client/conversion.ts';
import { contentDisposition } from '../../../main/http/response/respond.ts';
import type { Options } from '../../../main/job/options.ts';

test('the file name in Content-Disposition is decoded, whatever characters it has', () => {
  for (const name of ['invoice.pdf', 'Größe 5 €.pdf', 'a "b" c.pdf', 'データ.pdf', '100%.pdf', 'x;y=z.pdf']) {
    const options = { output_name: name, content_disposition: 'attachment' } as Options;
    assert.equal(fileNameIn(contentDisposition(options)), name);
  }
  assert.equal(
    fileNameIn(`attachment; filename="a.pdf"; filename*=UTF-8''%ff.pdf`),
    'a.pdf',
    'malformed encoding',
  );
  assert.equal(fileNameIn(''), '');
  assert.equal(fileNameIn('inline'), '');
});

test('a missing response header is read as undefined, and the header value 0 as the number 0', () => {
  const facts = headerValuesOf(new Headers({ 'x-service-notes': '0', 'x-service-job-id': '007' }));
  assert.equal(facts.notes, 0);
  assert.equal(facts.jobId, '007');
  assert.equal(facts.remainingCredits, undefined);
});
