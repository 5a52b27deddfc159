/** Generates forms and their possible encodings (RFC 7578, RFC 2046). */
import fc from 'fast-check';

export interface Part {
  readonly name: string;
  /** The file name of a file part. */
  readonly filename?: string;
  readonly contents: Buffer;
}

export interface Body {
  readonly type: string;
  readonly parts: readonly Part[];
  readonly bytes: Buffer;
}

const name = fc.oneof(
  fc.stringMatching(/^[a-z_]{1,12}$/),
  fc.constantFrom('text', 'url', 'file', '__proto__', 'constructor', 'length', '0', 'ü€😀', 'a b', 'a.b'),
);

const boundaries = fc.stringMatching(/^[\w'()+,./:=?-]{0,40}[\w'-]{1,30}$/);

/** Contents that nearly contain the boundary. */
function contentsBeside(boundary: string): fc.Arbitrary<Buffer> {
  const piece = fc.oneof(
    fc.constantFrom(
      '\r\n',
      '\r',
      '\n',
      '--',
      '\r\n--',
      `\r\n--${boundary.slice(0, -1)}`,
      `\n--${boundary}`.slice(0, -1),
      '\0',
    ),
    fc.string({ unit: 'grapheme', maxLength: 20 }),
  );
  return fc
    .array(piece, { maxLength: 8 })
    .map((pieces) => Buffer.from(pieces.join('').toWellFormed()))
    .filter((bytes) => !bytes.includes(`--${boundary}`));
}

/** A multipart body in one of the styles that real clients use. */
export const multipart: fc.Arbitrary<Body> = boundaries.chain((boundary) => {
  const contents = contentsBeside(boundary);
  const filename = fc.stringMatching(/^[\wäß€ ]{1,20}\.html$/);
  const part = fc.record({ name, contents, filename }, { requiredKeys: ['name', 'contents'] });
  return fc.tuple(fc.array(part, { maxLength: 6 }), styles).map(([parts, style]) => ({
    type: `${style.upper ? 'Multipart/Form-Data' : 'multipart/form-data'};${style.gap}boundary="${boundary}"`,
    parts,
    bytes: Buffer.concat([
      Buffer.from(style.preamble && parts.length > 0 ? `${style.preamble}\r\n` : ''),
      ...parts.flatMap((part) => written(part, boundary, style)),
      Buffer.from(`--${boundary}--${style.epilogue}`),
    ]),
  }));
});

interface Style {
  readonly upper: boolean;
  readonly gap: string;
  readonly preamble: string;
  readonly epilogue: string;
  /** Additional headers of each part. */
  readonly more: string;
  readonly type: string;
}

const styles: fc.Arbitrary<Style> = fc.record({
  upper: fc.boolean(),
  gap: fc.constantFrom('', ' ', ' charset=utf-8; '),
  preamble: fc.constantFrom('', 'This is a message in MIME format.'),
  epilogue: fc.constantFrom('', '\r\n', '\r\nwhatever'),
  more: fc.constantFrom(
    '',
    'Content-Length: 3\r\n',
    'X-Nothing: "a; b"\r\n',
    'Content-Transfer-Encoding: binary\r\n',
  ),
  type: fc.constantFrom('', 'Content-Type: text/plain; charset=utf-8\r\n'),
});

function written({ name, filename, contents }: Part, boundary: string, style: Style) {
  const field = style.upper ? 'CONTENT-DISPOSITION' : 'Content-Disposition';
  const file = filename === undefined ? '' : `; filename="${filename}"`;
  const type = filename === undefined ? style.type : 'Content-Type: text/html\r\n';
  const head = `--${boundary}\r\n${style.more}${field}: form-data; name="${name}"${file}\r\n${type}\r\n`;
  return [Buffer.from(head), contents, Buffer.from('\r\n')];
}

/**
 * busboy 1.6.0 loses a field whose name is one percent-encoded byte and whose value is empty if a chunk ends between the name and
 * the value. No field of the API has such a name.
 */
const longName = name.filter((text) => text.length > 1);

/** A urlencoded body; any character of names and values may be percent-encoded. */
export const urlencoded: fc.Arbitrary<Body> = fc
  .tuple(
    fc.array(fc.tuple(longName, fc.string({ unit: 'grapheme', maxLength: 20 })), { maxLength: 8 }),
    fc.constantFrom('application/x-www-form-urlencoded', 'Application/X-WWW-Form-Urlencoded; charset=UTF-8'),
    fc.boolean(),
  )
  .map(([pairs, type, percent]) => {
    const wellFormedPairs = pairs.map(([key, value]) => [key, value.toWellFormed()] as const);
    const escaped = (text: string) =>
      Array.from(Buffer.from(text), (byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
    const body = percent
      ? wellFormedPairs.map((pair) => pair.map(escaped).join('=')).join('&')
      : new URLSearchParams(wellFormedPairs.map((pair) => [...pair])).toString();
    const parts = wellFormedPairs.map(([key, value]) => ({ name: key, contents: Buffer.from(value) }));
    return { type, parts, bytes: Buffer.from(body) };
  });

/** Where a body is cut into chunks, as fractions of its length. */
export const cutPositions = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 6 });

export function chunksOf(bytes: Buffer, offsets: readonly number[]): Buffer[] {
  const at = [
    0,
    ...offsets.map((fraction) => Math.floor(fraction * bytes.length)).sort((left, right) => left - right),
  ];
  return at.map((from, index) => bytes.subarray(from, at[index + 1])).filter((chunk) => chunk.length > 0);
}
