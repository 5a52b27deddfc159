/** Converts with a secret on the machine, and finds nothing of it in the document, its picture and its debug log. */
import assert from 'node:assert/strict';
import { file, send, type Answer, type Fields } from '../../support/convert.ts';
import { readDebugLog, type ReadLog } from '../../support/debug-log.ts';
import { pdfPicture, pdfText } from '../../support/pdf.ts';
import { extent, readPicture, type Colour } from '../../support/picture.ts';
import { filesShowing, type Secret } from '../../support/secret.ts';
import type { Service } from '../../support/service.ts';
import { zip } from '../../support/zip-writer.ts';

export const secretColour = 'red';

export interface Guarded {
  readonly answer: Answer;
  /** Of the document, or of the error. */
  readonly text: string;
  readonly log: ReadLog;
}

/** @throws AssertionError when anything shows the secret */
export async function guarded(service: Service, { word }: Secret, fields: Fields): Promise<Guarded> {
  const answer = await send(service, { ...fields, debug_log: true });
  const log = await readDebugLog(answer);
  const text = answer.status === 200 ? pdfText(answer.body) : answer.body.toString();
  assert.ok(!text.includes(word), 'the secret is in the document');
  assert.ok(!log.html.includes(word), 'the secret is in the log');
  if (answer.status === 200) assert.ok(!(await shows(answer, red)), 'the secret is in the picture');
  return { answer, text, log };
}

const red: Colour = [255, 0, 0];
const lime: Colour = [0, 255, 0];

/** An archive with files of its own in the folder `own`, which show the word `mine` and a green square. */
export function ownArchive(page: string): File {
  const own = Object.entries(filesShowing('mine', 'lime'));
  const files = own.map(([name, contents]) => ({ name: `own/${name}`, contents }));
  const index = { name: 'index.html', contents: `<!doctype html><body>${page}` };
  return file(new Uint8Array(zip([index, ...files])), 'a.zip');
}

/** Whether the own file of that name is shown. */
export async function showsOwn({ answer, text }: Guarded, name: string): Promise<boolean> {
  assert.equal(answer.status, 200, text);
  return name === 'x.svg' ? shows(answer, lime) : text.includes('mine');
}

async function shows({ body }: Pick<Answer, 'body'>, colour: Colour): Promise<boolean> {
  return extent(await readPicture(pdfPicture(body, 0.5)), colour) !== undefined;
}
