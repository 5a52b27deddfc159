/** Decompresses bzip2. seek-bzip decodes synchronously, block by block, so run this only in a process that can be killed. */
import Bunzip from 'seek-bzip';
import { refusal } from './limits.ts';

export interface ByteReader {
  /** Returns the next byte, or -1 at the end. */
  next(): number;
  ended(): boolean;
}

/**
 * Decompresses bzip2 and passes the result to `onChunk` in chunks of 64 KiB. Concatenated streams, which parallel compressors
 * write, result in one file.
 * @throws Failure archiveUnusable for truncated or damaged input; errors that `onChunk` throws.
 */
export function bunzip(input: ByteReader, onChunk: (chunk: Buffer) => void): void {
  const output = new Bzip2Output(onChunk);
  try {
    // `Bzip2Input` has no `eof` method, so that seek-bzip cannot mistake the end of the file for the end of a stream.
    while (!input.ended()) Bunzip.decode(new Bzip2Input(input), output);
  } catch (error) {
    // seek-bzip throws TypeErrors and RangeErrors. Other errors come from `onChunk`, for example when a limit is exceeded.
    if (!(error instanceof TypeError || error instanceof RangeError)) throw error;
    throw refusal('The bzip2 archive is damaged; pack the files again.', error);
  }
  output.flush();
}

class Bzip2Input extends Bunzip.Stream {
  readonly #input: ByteReader;

  constructor(input: ByteReader) {
    super();
    this.#input = input;
  }

  override readByte(): number {
    const byte = this.#input.next();
    if (byte < 0) throw refusal('The bzip2 archive is truncated; send it again.');
    return byte;
  }
}

const chunkSize = 65_536;

class Bzip2Output extends Bunzip.Stream {
  readonly #onChunk: (chunk: Buffer) => void;
  #chunk = Buffer.allocUnsafe(chunkSize);
  #length = 0;

  constructor(onChunk: (chunk: Buffer) => void) {
    super();
    this.#onChunk = onChunk;
  }

  override writeByte(byte: number): void {
    this.#chunk[this.#length] = byte;
    this.#length += 1;
    if (this.#length === chunkSize) this.flush();
  }

  override flush(): void {
    this.#onChunk(this.#chunk.subarray(0, this.#length));
    // `onChunk` may keep the old chunk.
    this.#chunk = Buffer.allocUnsafe(chunkSize);
    this.#length = 0;
  }
}
