/** What a hostile upload is, and how the service is seen to withstand it. */
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { convert, send, type Fields } from '../../../support/convert.ts';
import type { Moat } from '../../../support/moat.ts';
import { pdfText } from '../../../support/pdf.ts';
import type { Service } from '../../../support/service.ts';

export interface Upload {
  /** Ends the sentence "nothing comes of". */
  readonly what: string;
  readonly fields: (moat: Moat) => Fields;
  /** The error, or `converted: ` and the text of the document: it shows that the attack was made and understood. */
  readonly says: RegExp;
}

/** Milliseconds that no upload may take, on a machine ten times slower than any. */
const patience = 60_000;

/** Sends it, and looks at the answer, the file system and the service afterwards. */
export async function withstand(service: Service, moat: Moat, upload: Upload): Promise<void> {
  const began = performance.now();
  const { status, body } = await send(service, upload.fields(moat));
  const took = performance.now() - began;
  const said = status === 200 ? `converted: ${pdfText(body)}` : body.toString();
  assert.match(said.slice(0, 2000), upload.says);
  if (status !== 200) assertDiscreet(said, moat);
  assert.ok(took < patience, `took ${took} ms`);
  assert.deepEqual(moat.disturbed(), [], 'something was written outside the folder of the job');
  await emptied(join(service.data, 'work'));
  assert.equal(pdfText(await convert(service, { text: 'a letter' })), 'a letter');
}

/** One sentence or more in the format of errors, with nothing of the inside. */
function assertDiscreet(said: string, { data }: Moat): void {
  assert.ok(said.length < 2000, `an answer of ${said.length} characters`);
  assert.match(said, /^\d{3}\.\d{3} - \S[^\n]*$/);
  assert.doesNotMatch(said, /\bat .+:\d+:\d+|node:|\.cjs|\.ts\b|node_modules|ERR_|E[A-Z]{4,}:/);
  assert.ok(!said.includes(data) && !/[\\/]work[\\/]/.test(said), said);
}

/** Resolves when nothing is left in the folder; else the test's own time runs out. */
async function emptied(folder: string): Promise<void> {
  while (readdirSync(folder).length > 0) await new Promise((resolve) => setTimeout(resolve, 10));
}
