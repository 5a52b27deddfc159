import assert from 'node:assert/strict';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import fc from 'fast-check';
import { Failure } from '../../../main/failure/failure.ts';
import { csvRows } from '../../../main/rows/csv-rows.ts';
import { decodeText } from '../../../main/rows/decode-text.ts';
import { jsonArrayRows, jsonLineRows } from '../../../main/rows/json-rows.ts';
import { readRows } from '../../../main/rows/read-rows.ts';
import { rowLimits, type Row, type RowLimits } from '../../../main/rows/row.ts';
import { temporaryFolder } from '../../support/service/service.ts';

const folder = temporaryFolder();
after(() => rm(folder, { recursive: true }));
let files = 0;

async function read(content: string | Uint8Array, limits?: Partial<RowLimits>): Promise<Row[]> {
  const path = join(folder, `rows${(files += 1)}`);
  await writeFile(path, content);
  return await listOf(readRows(path, { ...rowLimits, ...limits }));
}

async function listOf(rows: AsyncIterable<Row>): Promise<Row[]> {
  const list: Row[] = [];
  for await (const row of rows) list.push(row);
  return list;
}

/** Returns the data of the rows, which must have no problems. */
async function dataOf(content: string | Uint8Array): Promise<unknown[]> {
  return (await read(content)).map((row) => {
    assert.ok('json' in row, JSON.stringify(row));
    return JSON.parse(row.json) as unknown;
  });
}

async function problemsOf(content: string): Promise<(string | undefined)[]> {
  return (await read(content)).map((row) => ('problem' in row ? row.problem : undefined));
}

async function failureOf(content: string | Uint8Array, limits?: Partial<RowLimits>): Promise<string> {
  let message = '';
  await assert.rejects(read(content, limits), (problem) => {
    assert.ok(problem instanceof Failure && problem.kind === 'dataInvalid', String(problem));
    message = problem.message;
    return true;
  });
  return message;
}

/** Yields the bytes in parts of this length. */
async function* inParts(bytes: Uint8Array, length: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += length) {
    await Promise.resolve();
    yield bytes.subarray(at, at + length);
  }
}

describe('CSV', () => {
  test('has its fields named by the header; values keep their spaces and are texts', async () => {
    assert.deepEqual(await dataOf('name, price \nAnn , 7\n"Bob","8,50"\n'), [
      { name: 'Ann ', price: ' 7' },
      { name: 'Bob', price: '8,50' },
    ]);
  });

  test('may have a byte order mark, any line break, and quoted line breaks and quotes', async () => {
    const expected = [
      { a: '1', b: 'two\nlines "quoted"' },
      { a: 'ü', b: '' },
    ];
    for (const lineBreak of ['\n', '\r\n', '\r'])
      assert.deepEqual(
        await dataOf(`\ufeffa,b${lineBreak}1,"two\nlines ""quoted"""${lineBreak}ü,`),
        expected,
        JSON.stringify(lineBreak),
      );
  });

  test('is separated by semicolons or tabs if the header has no comma outside quotes', async () => {
    assert.deepEqual(await dataOf('a;b\n1,5;2'), [{ a: '1,5', b: '2' }]);
    assert.deepEqual(await dataOf('"a,x";b\n1;2'), [{ 'a,x': '1', b: '2' }]);
    assert.deepEqual(await dataOf('a\tb\n1;2\t3'), [{ a: '1;2', b: '3' }]);
    assert.deepEqual(await dataOf('a;x,b\n1,2'), [{ 'a;x': '1', b: '2' }]);
    assert.deepEqual(await dataOf('name\nAnn;Bob'), [{ name: 'Ann;Bob' }]);
    assert.deepEqual(await dataOf('\n\n"a\nb";c\n1;2'), [{ 'a\nb': '1', c: '2' }]);
  });

  test('skips empty lines; the lines of rows are those of the file', async () => {
    const rows = await read('a,b\n\n1,"x\ny"\n,\n3,4\n');
    assert.deepEqual(
      rows.map(({ number, line }) => [number, line]),
      [
        [1, 3],
        [2, 6],
      ],
    );
  });

  test('may have a column named __proto__', async () => {
    const [row] = await read('__proto__,b\n1,2');
    assert.equal(row && 'json' in row && row.json, '{"__proto__":"1","b":"2"}');
  });

  test('keeps the other rows if one has too few or too many values', async () => {
    const problems = await problemsOf('a,b\n1\n1,2\n1,2,3');
    assert.deepEqual(problems, [
      'The row has 1 value, but the header has 2 values.',
      undefined,
      'The row has 3 values, but the header has 2 values.',
    ]);
  });

  test('is refused with the place of what is wrong', async () => {
    assert.match(await failureOf('a,,c\n1,2,3'), /column 2 of the header has no name/);
    assert.match(await failureOf('a,b,a \n1,2,3'), /columns 1 and 3 of the header are both named 'a'/);
    assert.match(await failureOf('a,b\n1,2\n3,"4\n5,6\n'), /row 2, which begins at line 3, .*closing quote/);
    assert.match(await failureOf('a,b\n1,2\n3,x"y"\n'), /row 2, which begins at line 3, has a wrong quote/);
    assert.match(await failureOf('a,"b"x\n1,2\n'), /the header, which begins at line 1, has a wrong quote/);
    assert.match(await failureOf('a,b\r\n1,"2\r\n3"\r\n3,"4"5'), /row 2, .* line 4, .*wrong quote at line 4/);
    assert.match(await failureOf('a,b\n'), /no rows/);
    assert.match(await failureOf(''), /empty/);
    assert.match(await failureOf(' \n \n'), /empty/);
  });
});

describe('CSV with many columns', () => {
  const header = (count: number) => Array.from({ length: count }, (_, index) => `c${index}`).join(',');

  test('is refused if the header has more than 1000', async () => {
    assert.equal((await read(`${header(1000)}\n1${','.repeat(999)}`)).length, 1);
    assert.match(
      await failureOf(`${header(1001)}\n1${','.repeat(1000)}`),
      /has 1001 columns, but at most 1000/,
    );
  });

  test('keeps the other rows if only one row has too many values', async () => {
    const problems = await problemsOf(`a,b\n1${','.repeat(5000)}\n1,2`);
    assert.deepEqual(problems, ['The row has 5001 values, but the header has 2 values.', undefined]);
  });
});

describe('JSON lines', () => {
  test('have one object on each line, which keeps its text', async () => {
    assert.deepEqual(await read('{"a": 1.0}\r\n\n {"a":12345678901234567890}'), [
      { number: 1, line: 1, json: '{"a": 1.0}' },
      { number: 2, line: 3, json: '{"a":12345678901234567890}' },
    ]);
  });

  test('keep the other rows if one is not an object', async () => {
    const rows = await read('{"a":1}\n[1]\nnull\n{"a":\n{"a":2}');
    assert.deepEqual(
      rows.map((row) => ('problem' in row ? row.problem.slice(0, 25) : row.json)),
      [
        '{"a":1}',
        'The row is not a JSON obj',
        'The row is not a JSON obj',
        'The row is not valid JSON',
        '{"a":2}',
      ],
    );
    assert.equal(rows[3]?.line, 4);
  });
});

describe('A JSON array', () => {
  test('has objects as elements, on any lines', async () => {
    const text = '\ufeff [ {"a": "]},{\\"[", "b": [1, {"c": 2}]},\n\n{"a":2}\n] \n';
    const rows = await read(text);
    assert.deepEqual(
      rows.map((row) => ['json' in row ? (JSON.parse(row.json) as unknown) : row.problem, row.line]),
      [
        [{ a: ']},{"[', b: [1, { c: 2 }] }, 1],
        [{ a: 2 }, 3],
      ],
    );
  });

  test('keeps the other elements if one cannot be used', async () => {
    const problems = await problemsOf('[{"a":1}, 7, {"a":tru}, {"a":2}]');
    assert.deepEqual(
      problems.map((problem) => problem?.slice(0, 25)),
      [undefined, 'The row is not a JSON obj', 'The row is not valid JSON', undefined],
    );
  });

  test('is refused if it is malformed', async () => {
    assert.match(await failureOf('[]'), /no rows/);
    assert.match(await failureOf('[{"a":1},\n]'), /element 2 of its JSON array is missing at line 2/);
    assert.match(await failureOf('[{"a":1},,{"a":2}]'), /element 2/);
    assert.match(await failureOf('[{"a":1},{"a":2'), /not closed; element 2/);
    assert.match(await failureOf('[{"a":1}]\n[{"a":2}]'), /line 2 has text outside/);
  });
});

describe('A file of any format', () => {
  test('is refused if it is not UTF-8; the message names the line', async () => {
    const windows = Buffer.from('name,city\nAnn,Köln\nBob,Zürich', 'latin1');
    assert.match(await failureOf(windows), /line 2 is not UTF-8/);
    assert.match(await failureOf(Buffer.from('\ufeffname\nAnn', 'utf16le')), /UTF-16/);
    assert.match(
      await failureOf(Buffer.concat([Buffer.from('a\n1\nü').subarray(0, 5)])),
      /line 3 is not UTF-8/,
    );
    const long = Buffer.concat([
      Buffer.from('a\n'),
      Buffer.alloc(200_000, `${'1234567890'.repeat(4)}\n`),
      Buffer.from([0xff, 0x0a]),
    ]);
    assert.match(await failureOf(long), /line 4880 is not UTF-8/);
  });

  test('has at most so many rows, and rows of at most so many bytes', async () => {
    const limits = { maxRows: 2, maxRowBytes: 20 };
    for (const content of ['a\n1\n2\n3', '{"a":1}\n{"a":2}\n{"a":3}', '[{"a":1},{"a":2},{"a":3}]'])
      assert.match(await failureOf(content, limits), /more than 2 rows \(row 3 is at line/);
    const ü = 'ü'.repeat(11);
    for (const content of [`a\n1\n${ü}`, `{"a":1}\n{"a":"${ü}"}`, `[{"a":1},\n{"a":"${ü}"}]`])
      assert.match(await failureOf(content, limits), /row 2 at line .* larger than 20 bytes/);
    const blank = ' '.repeat(300_000);
    for (const content of [`{"a":1}\n${blank}\n{"a":2}`, `{"a":1}\n{"a":2}${blank}\n{"a":3}`])
      assert.match(await failureOf(content, limits), /row 2 at line 2 is larger than 20 bytes/);
    const endless = 'x'.repeat(300_000);
    for (const content of [`a\n1\n"${endless}`, `{"a":1}\n{"a":"${endless}`, `[{"a":1},\n{"a":"${endless}`])
      assert.match(await failureOf(content, limits), /row 2.*(larger than 20 bytes|closing quote)/);
  });

  for (const [format, begin, row, end] of [
    ['CSV', 'a,b\n', '1\n', ''],
    ['JSON lines', '{}\n', '{x\n', ''],
    ['a JSON array', '[{}', ',x', ']'],
  ] as const)
    test(`lets other work continue while it is read: ${format}`, async () => {
      let isReading = true;
      let turns = 0;
      const countTurns = async () => {
        for (; isReading; turns += 1) await nextTurn();
      };
      const counting = countTurns();
      const path = join(folder, `rows${(files += 1)}`);
      await writeFile(path, begin + row.repeat(9990) + end);
      turns = 0;
      let most = 0;
      let rowsSinceTurn = 0;
      let lastTurn = 0;
      for await (const _ of readRows(path)) {
        rowsSinceTurn = turns === lastTurn ? rowsSinceTurn + 1 : 1;
        lastTurn = turns;
        most = Math.max(most, rowsSinceTurn);
      }
      isReading = false;
      await counting;
      assert.ok(most < 5000, `${most} rows without a turn`);
    });

  for (const [format, parse, begin, row] of [
    ['CSV', csvRows, 'a\n', '1\n'],
    ['JSON lines', jsonLineRows, '', '{}\n'],
    ['a JSON array', jsonArrayRows, '[{}', ',{}'],
  ] as const)
    test(`is not read beyond the limit of rows: ${format}`, async () => {
      let parts = 0;
      async function* endless(): AsyncGenerator<string> {
        yield begin;
        for (;;) {
          await Promise.resolve();
          parts += 1;
          yield row;
        }
      }
      await assert.rejects(listOf(parse(endless(), { ...rowLimits, maxRows: 10 })), /more than 10 rows/);
      assert.ok(parts <= 12, `${parts} parts`);
    });

  const value = fc.string({ unit: 'grapheme' });
  const records = fc.array(fc.tuple(value, value), { minLength: 1, maxLength: 20 });

  test('gives the same rows, whatever the parts in which it is read', async () => {
    const field = (text: string) => `"${text.replaceAll('"', '""')}"`;
    await fc.assert(
      fc.asyncProperty(records, fc.integer({ min: 1, max: 7 }), async (rows, length) => {
        const objects = rows.map(([a, b]) => ({ a, b }));
        const formats = [
          // An empty row would be skipped.
          [csvRows, `a,b\n${rows.map(([a, b]) => `${field(`x${a}`)},${field(b)}`).join('\r\n')}`],
          [jsonLineRows, objects.map((object) => JSON.stringify(object)).join('\n')],
          [jsonArrayRows, JSON.stringify(objects, null, 1)],
        ] as const;
        for (const [parse, text] of formats) {
          const found = await listOf(parse(decodeText(inParts(Buffer.from(text), length)), rowLimits));
          const data = found.map((row) => ('json' in row ? (JSON.parse(row.json) as object) : row));
          const expected = parse === csvRows ? objects.map(({ a, b }) => ({ a: `x${a}`, b })) : objects;
          assert.deepEqual(data, expected);
          assert.deepEqual(
            found.map(({ number }) => number),
            objects.map((_, index) => index + 1),
          );
        }
      }),
    );
  });
});

test('a row with deeply nested data is refused without parsing it', async () => {
  const nested = (depth: number) => `{"a":${'['.repeat(depth)}${']'.repeat(depth)}}`;
  const inText = JSON.stringify({ a: '['.repeat(500) + '"'.repeat(3) });
  assert.deepEqual(await problemsOf([nested(90), nested(200), inText].join('\n')), [
    undefined,
    'The row has arrays or objects nested more than 100 times.',
    undefined,
  ]);
});

test('the message about a row that is not JSON contains nothing of the row', async () => {
  const rows = ['{"pin": abc123}', 'abc123', '{"pin": "abc123"', '{"pin" "abc123"}', '[abc123]'];
  for (const problem of await problemsOf(rows.join('\n'))) {
    assert.ok(problem !== undefined);
    assert.doesNotMatch(problem, /abc123|pin/);
  }
});
