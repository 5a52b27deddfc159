/** Limits the memory that pdf-lib's decoders use. pdf-lib itself has no limits, so one of its functions is replaced here. */
import { decodePDFRawStream, PDFContext, PDFRawStream } from '@cantoo/pdf-lib';
import { StreamTooLarge } from '../pdf-reader/inflate.ts';

const decoder = { bytesLeft: Infinity, isExceeded: false };

/** Sets the limit for all streams that are decoded from now on, together. */
export function startDecoding(maxBytes: number): void {
  decoder.bytesLeft = maxBytes;
  decoder.isExceeded = false;
}

/** Returns whether the limit was exceeded. pdf-lib ignores most errors. */
export function isLimitExceeded(): boolean {
  return decoder.isExceeded;
}

interface DecoderBuffer {
  buffer: Uint8Array;
  ensureBuffer: (size: number) => Uint8Array;
}

const minBufferBytes = 512;

limitDecoders();

/** Replaces the function with which each decoder enlarges its buffer. */
function limitDecoders(): void {
  const dict = PDFContext.create().obj({ Filter: 'ASCIIHexDecode' });
  const stream = decodePDFRawStream(PDFRawStream.of(dict, new Uint8Array()));
  const prototype = Object.getPrototypeOf(Object.getPrototypeOf(stream)) as DecoderBuffer;
  prototype.ensureBuffer = function (this: DecoderBuffer, size) {
    const { length } = this.buffer;
    if (size <= length) return this.buffer;
    const enlarged = Math.min(Math.max(size, 2 * length, minBufferBytes), length + decoder.bytesLeft);
    if (size > enlarged) {
      decoder.isExceeded = true;
      throw new StreamTooLarge();
    }
    decoder.bytesLeft -= enlarged - length;
    const buffer = new Uint8Array(enlarged);
    buffer.set(this.buffer);
    this.buffer = buffer;
    return buffer;
  };
}
