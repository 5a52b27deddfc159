/** Encrypts and authenticates values and streams with AES-256-GCM. The format of both: nonce, cipher text, tag. */
import { createCipheriv, createDecipheriv, randomBytes, type DecipherGCM } from 'node:crypto';

export const keyBytes = 32;
const nonceBytes = 12;
const tagBytes = 16;
const cipher = 'aes-256-gcm';

/** `context` is what the value belongs to: a value that is moved elsewhere cannot be decrypted. */
export function encrypt(content: Uint8Array, key: Buffer, context: string): Buffer {
  const nonce = randomBytes(nonceBytes);
  const encryption = createCipheriv(cipher, key, nonce).setAAD(Buffer.from(context));
  return Buffer.concat([nonce, encryption.update(content), encryption.final(), encryption.getAuthTag()]);
}

/** @throws Error if the value was encrypted with another key or context, or was changed */
export function decrypt(encrypted: Uint8Array, key: Buffer, context: string): Buffer {
  const decryption = createDecipheriv(cipher, key, encrypted.subarray(0, nonceBytes));
  decryption.setAAD(Buffer.from(context)).setAuthTag(encrypted.subarray(-tagBytes));
  return Buffer.concat([decryption.update(encrypted.subarray(nonceBytes, -tagBytes)), decryption.final()]);
}

/** Like `encrypt`, for content of any size. */
export async function* encryptParts(
  parts: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  key: Buffer,
  context: string,
): AsyncGenerator<Uint8Array> {
  const nonce = randomBytes(nonceBytes);
  const encryption = createCipheriv(cipher, key, nonce).setAAD(Buffer.from(context));
  yield nonce;
  for await (const part of parts) yield encryption.update(part);
  encryption.final();
  yield encryption.getAuthTag();
}

/**
 * Like `decrypt`, for content of any size. Only the end shows whether the content is authentic, so a receiver must not use the parts
 * if this throws.
 */
export async function* decryptParts(
  parts: AsyncIterable<Uint8Array>,
  key: Buffer,
  context: string,
): AsyncGenerator<Uint8Array> {
  let decryption: DecipherGCM | undefined;
  // What may be the tag.
  let held: Uint8Array = Buffer.alloc(0);
  for await (const part of parts) {
    let bytes: Uint8Array = held.length === 0 ? part : Buffer.concat([held, part]);
    if (decryption === undefined && bytes.length >= nonceBytes) {
      decryption = createDecipheriv(cipher, key, bytes.subarray(0, nonceBytes));
      decryption.setAAD(Buffer.from(context));
      bytes = bytes.subarray(nonceBytes);
    }
    const end = decryption === undefined ? 0 : Math.max(0, bytes.length - tagBytes);
    held = bytes.subarray(end);
    if (decryption !== undefined && end > 0) yield decryption.update(bytes.subarray(0, end));
  }
  if (decryption === undefined || held.length !== tagBytes)
    throw new Error('the encrypted content is incomplete');
  decryption.setAuthTag(held);
  decryption.final();
}
