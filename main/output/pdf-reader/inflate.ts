/** Decompresses streams of PDFs up to a size, because a few kilobytes can expand to gigabytes. */
import { inflateSync } from '../../async/thread-zlib.ts';
import { Failure } from '../../failure/failure.ts';

/** The largest size of a decoded stream, and of all streams of an uploaded document together. */
export const maxDecodedBytes = 100_000_000;

export class StreamTooLarge extends Failure {
  constructor() {
    const message = `A page has more than ${maxDecodedBytes / 1e6} MB of content when decompressed; split the document into several.`;
    super('tooComplex', message);
  }
}

/** @throws StreamTooLarge; Error if the bytes are damaged */
export function inflateBounded(bytes: Uint8Array, maxBytes = maxDecodedBytes): Buffer {
  try {
    return inflateSync(bytes, { maxOutputLength: Math.max(1, maxBytes) });
  } catch (problem) {
    const isTooLarge =
      problem instanceof Error && 'code' in problem && problem.code === 'ERR_BUFFER_TOO_LARGE';
    throw isTooLarge ? new StreamTooLarge() : problem;
  }
}
