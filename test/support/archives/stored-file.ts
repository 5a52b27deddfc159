/** Reads the files that folder-files.ts opens. */
import { text } from 'node:stream/consumers';
import type { StoredFile } from '../../../main/input/source.ts';

export async function bodyText({ body }: StoredFile): Promise<string> {
  return Buffer.isBuffer(body) ? body.toString() : text(body);
}
