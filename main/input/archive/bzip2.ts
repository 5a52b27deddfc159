/** Undoes bzip2. seek-bzip decodes synchronously and block by block, so whoever calls this must be able to be ended. */
import Bunzip from 'seek-bzip';
import { refusal } from './refusal.ts';

export interface Bytes {
  /** The next byte, or -1 after the last. */
  next(): number;
  /** True after the last. */
  ended(): boolean;
}

/**
 * Hands on what comes out, some 64 kB at a time. Streams one after the other, as parallel packers write them, are one.
 * @throws Failure archiveUnusable for what is cut off or damaged.
 */
export function bunzip(input: Bytes, take: (chunk: Buffer) => void): void {
  const output = new Output(take);
  try {
    // Without `eof` the library never mistakes the end of the file for the end of a stream.
    while (!input.ended()) Bunzip.decode(new Input(input), output);
  } catch (error) {
    // The library's own errors are TypeErrors with a code; a refusal of the taker's is on its way out.
    if (!(error instanceof TypeError || error instanceof RangeError)) throw error;
    throw refusal('The bzip2 archive is damaged; pack the files again.', error);
  }
  output.flush();
}

class Input extends Bunzip.Stream {
  readonly #input: Bytes;

  constructor(input: Bytes) {
    super();
    this.#input = input;
  }

  override readByte(): number {
    const byte = this.#input.next();
    if (byte < 0) throw refusal('The bzip2 archive is cut off; send it again.');
    return byte;
  }
}

const chunkSize = 65_536;

class Output extends Bunzip.Stream {
  readonly #take: (chunk: Buffer) => void;
  #chunk = Buffer.allocUnsafe(chunkSize);
  #length = 0;

  constructor(take: (chunk: Buffer) => void) {
    super();
    this.#take = take;
  }

  override writeByte(byte: number): void {
    this.#chunk[this.#length] = byte;
    this.#length += 1;
    if (this.#length === chunkSize) this.flush();
  }

  override flush(): void {
    this.#take(this.#chunk.subarray(0, this.#length));
    // The taker may keep it.
    this.#chunk = Buffer.allocUnsafe(chunkSize);
    this.#length = 0;
  }
}
