/** The digest of a request, by which a repetition with the same idempotency key is recognised. */
import { createHash, type Hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { isStoredText, type Upload } from '../job/option-kinds.ts';
import type { Form } from '../job/read-fields.ts';

/**
 * Returns the SHA-256 digest of the names, values and files of a form, in hex. The order of different fields does not matter, because
 * it depends on how the body arrived: a long text is read into a file. @throws the error of a file that cannot be read
 */
export async function digestOf(form: Form): Promise<string> {
  const parts = [
    ...form.fields.map(({ name, value }) => ({ name, value })),
    ...form.files.map(({ name, upload }) => ({ name, value: upload })),
  ].sort((left, right) => (left.name < right.name ? -1 : left.name > right.name ? 1 : 0));
  const hash = createHash('sha256');
  for (const { name, value } of parts) {
    if (typeof value === 'string') addField(hash, name, Buffer.from(value, 'utf8'));
    else await addFile(hash, name, value);
  }
  return hash.digest('hex');
}

function addField(hash: Hash, name: string, value: Buffer): void {
  addHead(hash, ['field', name], value.length);
  hash.update(value);
}

async function addFile(hash: Hash, name: string, upload: Upload): Promise<void> {
  addHead(hash, isStoredText(upload) ? ['field', name] : ['file', name, upload.name], upload.size);
  for await (const part of createReadStream(upload.path)) hash.update(part as Buffer);
}

/** The length of the content separates it from the next head. */
function addHead(hash: Hash, head: readonly string[], length: number): void {
  hash.update(`${JSON.stringify([...head, length])}\n`);
}
