/**
 * Limits the memory that pdf-lib uses for a PDF: what its decoders produce, and what its parser reads. pdf-lib itself has no limits, so
 * its functions are replaced here.
 */
import {
  decodePDFRawStream,
  PDFContext,
  PDFCrossRefSection,
  PDFObjectParser,
  PDFObjectStreamParser,
  PDFRawStream,
  PDFXRefStreamParser,
  type PDFHexString,
  type PDFName,
  type PDFObject,
  type PDFRef,
  type PDFString,
} from '@cantoo/pdf-lib';
import { maxDecodedBytes, StreamTooLarge } from '../pdf-reader/inflate.ts';
import { endOfString } from '../pdf-reader/pdf-syntax.ts';

/** All objects of all threads share 4 GB, and their end ends the process. Fifty million empty arrays are 94 kB of an upload. */
export const uploadLimits = {
  decodedBytes: maxDecodedBytes,
  /** Of all PDFs of a job together. A document and the copy of its objects take up to 250 bytes for each. */
  objects: 1_000_000,
  stringBytes: 1_000_000,
  /** Of arrays and dictionaries in each other. Functions that copy and write them are recursive. */
  nesting: 500,
  /** Of a name or a number. Names have at most 127 bytes (ISO 32000-1, annex C). */
  tokenBytes: 10_000,
} as const;

type ParserLimits = Readonly<Record<keyof typeof uploadLimits, number>>;

const noLimits: ParserLimits = {
  decodedBytes: Infinity,
  objects: Infinity,
  stringBytes: Infinity,
  nesting: Infinity,
  tokenBytes: Infinity,
};

/** Sets the limits for the next document. */
export function startParsing(limits: ParserLimits = noLimits): void {
  startDecoding(limits.decodedBytes);
  parser.limits = limits;
  parser.nesting = 0;
  parser.objectsLeft = limits.objects;
  parser.tableEntriesLeft = limits.objects;
}

/**
 * Removes the limits of the parser, because pdf-lib uses some of its functions to write documents too. Returns how many more objects the
 * document could have had.
 */
export function endParsing(): number {
  const { objectsLeft } = parser;
  parser.limits = noLimits;
  parser.objectsLeft = Infinity;
  parser.tableEntriesLeft = Infinity;
  return objectsLeft;
}

/** Sets the limit for all streams that are decoded from now on, together. */
export function startDecoding(maxBytes: number): void {
  decoder.bytesLeft = maxBytes;
  decoder.isExceeded = false;
}

/** Returns whether a limit was exceeded. pdf-lib ignores most errors. */
export function isLimitExceeded(): boolean {
  return decoder.isExceeded;
}

function refuse(): never {
  decoder.isExceeded = true;
  throw new StreamTooLarge();
}

// The decoders, each of which enlarges its buffer with the same function.

const decoder = { bytesLeft: Infinity, isExceeded: false };

interface DecoderBuffer {
  buffer: Uint8Array;
  ensureBuffer: (size: number) => Uint8Array;
}

const minBufferBytes = 512;

limitDecoders();

function limitDecoders(): void {
  const dict = PDFContext.create().obj({ Filter: 'ASCIIHexDecode' });
  const stream = decodePDFRawStream(PDFRawStream.of(dict, new Uint8Array()));
  const prototype = Object.getPrototypeOf(Object.getPrototypeOf(stream)) as DecoderBuffer;
  prototype.ensureBuffer = function (this: DecoderBuffer, size) {
    const { length } = this.buffer;
    if (size <= length) return this.buffer;
    const enlarged = Math.min(Math.max(size, 2 * length, minBufferBytes), length + decoder.bytesLeft);
    if (size > enlarged) refuse();
    decoder.bytesLeft -= enlarged - length;
    const buffer = new Uint8Array(enlarged);
    buffer.set(this.buffer);
    this.buffer = buffer;
    return buffer;
  };
}

// The parser. It appends the characters of a token one by one, which takes 20 bytes for each until the text is flattened.

const parser = { limits: noLimits, nesting: 0, objectsLeft: Infinity, tableEntriesLeft: Infinity };

limitObjects();
limitTokens();
limitTables();

/** The parts of pdf-lib's parser that are changed here. */
interface ObjectParser {
  readonly bytes: { readonly bytes: Uint8Array; readonly idx: number };
  parseObject: (reference?: PDFRef) => PDFObject;
  parseString: (reference?: PDFRef) => PDFString;
  parseHexString: (reference?: PDFRef) => PDFHexString;
  parseName: () => PDFName;
  parseRawNumber: () => number;
  parseRawInt: () => number;
}

function limitObjects(): void {
  const prototype = PDFObjectParser.prototype as unknown as ObjectParser;
  const { parseObject, parseString, parseHexString } = prototype;
  prototype.parseObject = function (this: ObjectParser, reference) {
    parser.objectsLeft -= 1;
    if (parser.objectsLeft < 0 || parser.nesting >= parser.limits.nesting) refuse();
    parser.nesting += 1;
    try {
      return parseObject.call(this, reference);
    } finally {
      parser.nesting -= 1;
    }
  };
  prototype.parseString = function (this: ObjectParser, reference) {
    return isLongString(this) ? refuse() : parseString.call(this, reference);
  };
  prototype.parseHexString = function (this: ObjectParser, reference) {
    if (isLongHexString(this)) refuse();
    const text = parseHexString.call(this, reference);
    flatten(text.asString());
    return text;
  };
}

function limitTokens(): void {
  const prototype = PDFObjectParser.prototype as unknown as ObjectParser;
  const { parseName, parseRawNumber, parseRawInt } = prototype;
  prototype.parseName = function (this: ObjectParser) {
    if (isLongToken(this)) refuse();
    const name = parseName.call(this);
    flatten(name.asString());
    return name;
  };
  prototype.parseRawNumber = function (this: ObjectParser) {
    if (isLongToken(this)) refuse();
    const { warn } = console;
    // pdf-lib warns of each large number. Millions of warnings would fill the service log, and the main thread writes them.
    console.warn = ignore;
    try {
      return parseRawNumber.call(this);
    } finally {
      console.warn = warn;
    }
  };
  prototype.parseRawInt = function (this: ObjectParser) {
    return isLongToken(this) ? refuse() : parseRawInt.call(this);
  };
}

function ignore(): void {}

/** Makes V8 store a text that consists of many parts as one, because reading a character requires that. */
function flatten(text: string): void {
  text.charCodeAt(0);
}

/** The parts of pdf-lib's parsers of tables that are changed here. */
interface TableParser {
  readonly objectCount: number;
  parseOffsetsAndObjectNumbers: () => unknown;
  parseEntries: () => readonly never[];
}

/** Limits the tables of references, of which a document declares the sizes. */
function limitTables(): void {
  const streams = PDFObjectStreamParser.prototype as unknown as TableParser;
  const { parseOffsetsAndObjectNumbers } = streams;
  streams.parseOffsetsAndObjectNumbers = function (this: TableParser) {
    return this.objectCount > parser.objectsLeft ? refuse() : parseOffsetsAndObjectNumbers.call(this);
  };
  // pdf-lib finds objects without their table, and does not use its entries.
  (PDFXRefStreamParser.prototype as unknown as TableParser).parseEntries = () => [];
  const section = PDFCrossRefSection.prototype;
  for (const name of ['addEntry', 'addDeletedEntry'] as const) {
    // eslint-disable-next-line @typescript-eslint/unbound-method -- It is called with its object.
    const add = section[name];
    section[name] = function (this: PDFCrossRefSection, reference, offset) {
      parser.tableEntriesLeft -= 1;
      if (parser.tableEntriesLeft < 0) refuse();
      add.call(this, reference, offset);
    };
  }
}

/** Returns whether no character within the limit ends the name or number. */
function isLongToken({ bytes: { bytes, idx } }: ObjectParser): boolean {
  const limit = idx + parser.limits.tokenBytes;
  if (bytes.length <= limit) return false;
  for (let at = idx + 1; at < limit; at += 1) if (endsToken[bytes[at] ?? 0] === 1) return false;
  return true;
}

/** Whether a byte is white space or a delimiter (ISO 32000-1, 7.2.2). */
const endsToken = Uint8Array.from({ length: 256 }, (_, byte) =>
  Number(byte <= 32 || '()<>[]{}/%'.includes(String.fromCharCode(byte))),
);

function isLongHexString({ bytes: { bytes, idx } }: ObjectParser): boolean {
  const limit = idx + parser.limits.stringBytes;
  return bytes.length > limit && !bytes.subarray(idx, limit).includes('>'.charCodeAt(0));
}

function isLongString({ bytes: { bytes, idx } }: ObjectParser): boolean {
  const limit = idx + parser.limits.stringBytes;
  return bytes.length > limit && endOfString(bytes, idx + 1, limit) === limit;
}
