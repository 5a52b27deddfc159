/** A hostile upload, and a function that checks that the service withstands the upload. */
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { convert, send, type Fields } from '../../../support/service/convert.ts';
import type { EscapeDetector } from '../../../support/service/escape-detector.ts';
import { pdfText } from '../../../support/output/pdf.ts';
import type { Service } from '../../../support/service/service.ts';

export interface HostileUpload {
  /** Completes the test title "The service withstands ...". */
  readonly what: string;
  readonly fields: (detector: EscapeDetector) => Fields;
  /** Matches the error, or `converted: ` and the text of the document, as a proof that the service has read the upload. */
  readonly expected: RegExp;
}

/** The maximum time of a job, on a machine ten times slower than usual. */
const timeoutMs = 60_000;

/** Sends the upload, and checks the response, the file system and the service. */
export async function assertHarmless(
  service: Service,
  detector: EscapeDetector,
  upload: HostileUpload,
): Promise<void> {
  const began = performance.now();
  const { status, body } = await send(service, upload.fields(detector));
  const took = performance.now() - began;
  const outcome = status === 200 ? `converted: ${pdfText(body)}` : body.toString();
  assert.match(outcome.slice(0, 2000), upload.expected);
  if (status !== 200) assertNoInternals(outcome, detector);
  assert.ok(took < timeoutMs, `took ${took} ms`);
  assert.deepEqual(detector.escapes(), [], 'a file was written outside the folder of the job');
  await emptied(join(service.data, 'work'));
  assert.equal(pdfText(await convert(service, { text: 'a letter' })), 'a letter');
}

/** Asserts that the response has the error format, and contains no internals. */
function assertNoInternals(text: string, { data }: EscapeDetector): void {
  assert.ok(text.length < 2000, `a response of ${text.length} characters`);
  assert.match(text, /^\d{3}\.\d{3} - \S[^\n]*$/);
  assert.doesNotMatch(text, /\bat .+:\d+:\d+|node:|\.cjs|\.ts\b|node_modules|ERR_|E[A-Z]{4,}:/);
  assert.ok(!text.includes(data) && !/[\\/]work[\\/]/.test(text), text);
}

/** Resolves when the folder is empty; otherwise the test times out. */
async function emptied(folder: string): Promise<void> {
  while (readdirSync(folder).length > 0) await new Promise((resolve) => setTimeout(resolve, 10));
}
