/** Computes digests in slices, between which the event loop continues with other requests. */
import { createHash } from 'node:crypto';
import { nextTurn } from './yielding.ts';

/** About 10 ms of work. WebCrypto would hash in a thread, but first copies all bytes on the calling thread. */
const sliceBytes = 4_000_000;

/** Returns the SHA-256 digest of the bytes. */
export async function sha256Of(bytes: Uint8Array, encoding: 'hex' | 'base64' = 'hex'): Promise<string> {
  const hash = createHash('sha256');
  for (let from = 0; from < bytes.length; from += sliceBytes) {
    if (from > 0) await nextTurn();
    hash.update(bytes.subarray(from, from + sliceBytes));
  }
  return hash.digest(encoding);
}
