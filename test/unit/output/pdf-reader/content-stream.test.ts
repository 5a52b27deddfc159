import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { operations } from '../../../../main/output/pdf-reader/pdf-syntax.ts';

const read = (content: string) =>
  [...operations(Buffer.from(content, 'latin1'))].map(({ operator, operands }) => [operator, ...operands]);
const bytes = (text: string) => Uint8Array.from(Buffer.from(text, 'latin1'));
const texts = (content: string) =>
  [...operations(Buffer.from(content, 'latin1'))].map(({ operands }) =>
    Buffer.from(operands[0] as Uint8Array).toString('latin1'),
  );

test('numbers, names, booleans and operators are parsed, and comments are skipped', () => {
  assert.deepEqual(read('1 0 0 -1 .24 841.91998 cm % 9 9 rg\r/F#34 +16. Tf true false null X q[]0 d'), [
    ['cm', 1, 0, 0, -1, 0.24, 841.91998],
    ['Tf', 'F4', 16],
    ['X', true, false, null],
    ['q'],
    ['d', [], 0],
  ]);
});

test('strings may have parentheses, escapes, octal codes and line breaks (ISO 32000-1, 7.3.4.2)', () => {
  assert.deepEqual(
    texts('(a(b)c) Tj (\\(\\)\\\\\\n\\q) Tj (\\101\\53\\1019) Tj (a\\\r\nb\\\nc) Tj (\\7) Tj'),
    ['a(b)c', '()\\\nq', 'A+A9', 'abc', '\x07'],
  );
});

test('hex strings may have whitespace and an odd number of digits', () => {
  assert.deepEqual(texts('<4 8 6\n9> Tj <7> Tj <> Tj'), ['Hi', 'p', '']);
});

test('dictionaries and arrays may be nested to any depth', () => {
  const [first] = operations(Buffer.from('/Span <</ActualText <FEFF00A0> /Kids [<</A 1>> [2 (x)]]>> BDC'));
  const kids = [new Map([['A', 1]]), [2, bytes('x')]];
  const [name, dict] = first?.operands ?? [];
  assert.equal(name, 'Span');
  assert.ok(dict instanceof Map);
  assert.deepEqual([...dict.keys()], ['ActualText', 'Kids']);
  assert.deepEqual(JSON.stringify(dict.get('Kids')), JSON.stringify(kids));
  assert.equal([...operations(Buffer.from(`${'['.repeat(1e5)}${']'.repeat(1e5)} X 1 w`))].length, 2);
});

test('an operation has a limited number of values, however they are nested', () => {
  for (const content of ['1 ', '[', '[]', '<<>>', '()'].map((value) => value.repeat(600_000)))
    assert.throws(() => read(content), { kind: 'tooComplex' });
  assert.equal(read('1 g '.repeat(600_000)).length, 600_000);
});

test('an inline image is one operation, even if its bytes contain EI', () => {
  const image = 'a EI\x00\x01\x02 q EI\xff(';
  const [first, second, third] = operations(
    Buffer.from(`q BI /W 2 /H 2 /F [/Fl] ID ${image}\nEI Q`, 'latin1'),
  );
  assert.equal(first?.operator, 'q');
  assert.equal(second?.operator, 'BI');
  const [dict, data] = second.operands;
  assert.deepEqual(dict, new Map<string, unknown>([['W', 2], ['H', 2], ['F', ['Fl']]])); // prettier-ignore
  assert.equal(Buffer.from(data as Uint8Array).toString('latin1'), image);
  assert.equal(third?.operator, 'Q');
});

test('parsing ends and never throws for any bytes', () => {
  const piece = fc.constantFrom(
    ...'( ) < > [ ] << >> { } / % \\ BI ID EI 1 -.5 q Tj R 12 é'.split(' '),
    ' ',
    '\n',
  );
  const content = fc.oneof(
    fc.array(piece, { maxLength: 60 }).map((pieces) => Buffer.from(pieces.join(''))),
    fc.uint8Array({ maxLength: 200 }),
  );
  fc.assert(
    fc.property(content, (stream) => [...operations(stream)].length <= stream.length),
    { numRuns: 1000 },
  );
});
