/** Writes bzip2 files: compressed contents, and files that attack a decoder. */

/** Returns a file with one stream of one block. For contents of a few kilobytes, because its sorting algorithm is slow. */
export function bzip2(contents: Buffer): Buffer {
  return stream([{ ...burrowsWheeler(runLengthEncoded(contents)), crc: crcOf(contents) }]);
}

/** Returns a bomb: each block has about 50 bytes and expands to 45.9 MB of zeros. */
export function bzip2Bomb(blocks: number): Buffer {
  const runs = 180_000;
  // Five bytes encode 255 zeros: four zeros and the count 251. The sorted block has all counts first, then all zeros.
  const symbols = [2, ...runLength(runs - 1), 2, ...runLength(4 * runs - 1), 3];
  const crc = crcOf(Buffer.alloc(runs * 255));
  // In the alphabet 0, 251, move-to-front encodes the first 251, and later the first 0, as index 1 (symbol 2).
  return stream(Array.from({ length: blocks }, () => ({ used: [0, 251], symbols, start: 0, crc })));
}

/** Returns a file with many blocks of one byte each. A decoder allocates 900,000 bytes for each block. */
export function bzip2Crumbs(blocks: number): Buffer {
  const block = { ...burrowsWheeler(Buffer.from('x')), crc: crcOf(Buffer.from('x')) };
  return stream(Array.from({ length: blocks }, () => block));
}

interface Block {
  /** The byte values that the block contains, ascending. */
  readonly used: readonly number[];
  readonly symbols: readonly number[];
  /** The index of the unrotated block among its sorted rotations. */
  readonly start: number;
  readonly crc: number;
}

function stream(blocks: readonly Block[]): Buffer {
  const bits: number[] = [];
  const put = (value: number, count: number): void => {
    for (let bit = count - 1; bit >= 0; bit -= 1) bits.push(Math.floor(value / 2 ** bit) % 2);
  };
  let combined = 0;
  for (const block of blocks) {
    put(0x314159265359, 48);
    put(block.crc, 32);
    putBlock(block, put);
    combined = (((combined << 1) | (combined >>> 31)) ^ block.crc) >>> 0;
  }
  put(0x177245385090, 48);
  put(combined, 32);
  const bytes = Buffer.alloc(Math.ceil(bits.length / 8));
  bits.forEach((bit, index) => {
    bytes[index >> 3] = (bytes[index >> 3] ?? 0) | (bit << (7 - (index & 7)));
  });
  return Buffer.concat([Buffer.from('BZh9'), bytes]);
}

type Put = (value: number, count: number) => void;

/** Writes a block whose Huffman codes all have the same length, which is valid but compresses poorly. */
function putBlock({ used, symbols, start }: Block, put: Put): void {
  put(0, 1);
  put(start, 24);
  const rows = Array.from({ length: 16 }, (_, row) => used.filter((byte) => byte >> 4 === row));
  for (const row of rows) put(row.length > 0 ? 1 : 0, 1);
  for (const row of rows) {
    if (row.length > 0)
      for (let column = 0; column < 16; column += 1) put(row.some((b) => (b & 15) === column) ? 1 : 0, 1);
  }
  const selectors = Math.ceil(symbols.length / 50);
  put(2, 3);
  put(selectors, 15);
  put(0, selectors);
  const length = Math.ceil(Math.log2(used.length + 2));
  for (let table = 0; table < 2; table += 1) {
    put(length, 5);
    put(0, used.length + 2);
  }
  for (const symbol of symbols) put(symbol, length);
}

/** Replaces four or more equal bytes with four of them and the number of the others. */
function runLengthEncoded(contents: Buffer): Buffer {
  const out: number[] = [];
  for (let at = 0; at < contents.length;) {
    const byte = contents.readUInt8(at);
    let run = 1;
    while (run < 255 && contents[at + run] === byte) run += 1;
    for (let index = 0; index < Math.min(run, 4); index += 1) out.push(byte);
    if (run >= 4) out.push(run - 4);
    at += run;
  }
  return Buffer.from(out);
}

function burrowsWheeler(block: Buffer): Omit<Block, 'crc'> {
  const twice = Buffer.concat([block, block]);
  const size = block.length;
  const rotations = Array.from({ length: size }, (_, index) => index).sort((left, right) =>
    twice.compare(twice, right, right + size, left, left + size),
  );
  const column = rotations.map((index) => twice.readUInt8(index + size - 1));
  const used = [...new Set(block)].sort((left, right) => left - right);
  return { used, symbols: movedToFront(column, used), start: rotations.indexOf(0) };
}

function movedToFront(column: readonly number[], used: readonly number[]): number[] {
  const front = [...used];
  const symbols: number[] = [];
  let zeros = 0;
  for (const byte of column) {
    const place = front.indexOf(byte);
    if (place === 0) zeros += 1;
    else {
      symbols.push(...runLength(zeros), place + 1);
      zeros = 0;
      front.unshift(...front.splice(place, 1));
    }
  }
  return [...symbols, ...runLength(zeros), used.length + 1];
}

/** Encodes the number of zeros in bijective base 2, lowest digit first, as symbols 0 and 1. */
function runLength(count: number): number[] {
  const digits: number[] = [];
  for (let left = count; left > 0; left = (left - (left % 2 === 1 ? 1 : 2)) / 2)
    digits.push(left % 2 === 1 ? 0 : 1);
  return digits;
}

const crcTable = Array.from({ length: 256 }, (_, byte) => {
  let crc = byte << 24;
  for (let bit = 0; bit < 8; bit += 1) crc = crc < 0 ? (crc << 1) ^ 0x04c11db7 : crc << 1;
  return crc;
});

function crcOf(contents: Buffer): number {
  let crc = -1;
  for (const byte of contents) crc = (crc << 8) ^ (crcTable[(crc >>> 24) ^ byte] ?? 0);
  return ~crc >>> 0;
}
