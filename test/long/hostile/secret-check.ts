/** Converts while secret files exist on the machine, and checks that neither the output nor the debug log shows them. */
import assert from 'node:assert/strict';
import { htmlFile, send, type ConversionResponse, type Fields } from '../../support/service/convert.ts';
import { readDebugLog, type ReadLog } from '../../support/debug-log/debug-log.ts';
import { pdfImage, pdfText } from '../../support/output/pdf.ts';
import { extent, readImage, type Colour } from '../../support/output/image.ts';
import { filesShowing, type SecretFiles } from '../../support/service/secret-files.ts';
import type { Service } from '../../support/service/service.ts';
import { zip } from '../../support/archives/zip-writer.ts';

export const secretColour = 'red';

export interface SecretCheck {
  readonly answer: ConversionResponse;
  /** The text of the document or of the error. */
  readonly text: string;
  readonly log: ReadLog;
}

/** @throws AssertionError if the secret appears anywhere */
export async function convertAndCheckSecret(
  service: Service,
  { word }: SecretFiles,
  fields: Fields,
): Promise<SecretCheck> {
  const answer = await send(service, { ...fields, debug_log: true });
  const log = await readDebugLog(answer);
  const text = answer.status === 200 ? pdfText(answer.body) : answer.body.toString();
  assert.ok(!text.includes(word), 'the secret is in the document');
  assert.ok(!log.html.includes(word), 'the secret is in the log');
  if (answer.status === 200) assert.ok(!(await shows(answer, red)), 'the secret is in the image');
  return { answer, text, log };
}

const red: Colour = [255, 0, 0];
const lime: Colour = [0, 255, 0];

/** Returns an archive with the page, and files in the folder `own` that show the word `mine` or a green square. */
export function ownArchive(page: string): File {
  const ownFiles = Object.entries(filesShowing('mine', 'lime'));
  const files = ownFiles.map(([name, contents]) => ({ name: `own/${name}`, contents }));
  const index = { name: 'index.html', contents: `<!doctype html><body>${page}` };
  return htmlFile(new Uint8Array(zip([index, ...files])), 'a.zip');
}

/** Returns whether the document shows the file of the archive with that name. */
export async function showsArchiveFile({ answer, text }: SecretCheck, name: string): Promise<boolean> {
  assert.equal(answer.status, 200, text);
  return name === 'x.svg' ? shows(answer, lime) : text.includes('mine');
}

async function shows({ body }: Pick<ConversionResponse, 'body'>, colour: Colour): Promise<boolean> {
  return extent(await readImage(pdfImage(body, 0.5)), colour) !== undefined;
}
