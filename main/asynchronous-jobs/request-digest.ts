/** The digest of a request, by which a repetition with the same idempotency key is recognised. */
import { createReadStream } from 'node:fs';
import { nextTurn } from '../async/yielding.ts';
import type { KeyedHash, Keyring } from '../encryption/keyring.ts';
import { isStoredText, type Upload } from '../job/option-kinds.ts';
import type { Form } from '../job/read-fields.ts';

/** Longer fields are added in separate steps of the main thread. */
const longCharacters = 100_000;

/**
 * Returns a keyed hash, because secrets in a request may be short enough to be guessed from a digest: of the names, values and files of a form, in hex. The order of different fields does not matter, because
 * it depends on how the body arrived: a long text is read into a file. @throws the error of a file that cannot be read
 */
export async function digestOf(form: Form, keyring: Keyring): Promise<string> {
  const parts = [
    ...form.fields.map(({ name, value }) => ({ name, value })),
    ...form.files.map(({ name, upload }) => ({ name, value: upload })),
  ].sort((left, right) => (left.name < right.name ? -1 : left.name > right.name ? 1 : 0));
  const hash = keyring.digestWith('idempotency');
  for (const { name, value } of parts) {
    if (typeof value === 'string') {
      addField(hash, name, Buffer.from(value, 'utf8'));
      if (value.length > longCharacters) await nextTurn();
    } else await addFile(hash, name, value);
  }
  return hash.digest('hex');
}

function addField(hash: KeyedHash, name: string, value: Buffer): void {
  addHead(hash, ['field', name], value.length);
  hash.update(value);
}

async function addFile(hash: KeyedHash, name: string, upload: Upload): Promise<void> {
  addHead(hash, isStoredText(upload) ? ['field', name] : ['file', name, upload.name], upload.size);
  for await (const part of createReadStream(upload.path)) hash.update(part as Buffer);
}

/** The length of the content separates it from the next head. */
function addHead(hash: KeyedHash, head: readonly string[], length: number): void {
  hash.update(`${JSON.stringify([...head, length])}\n`);
}
