/** Values of the data mean the same in all formats: numbers keep their digits, and a list of one is a list. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { errorMessageOf, fill } from './fill.ts';

const jinja = { template_engine: 'jinja' } as const;
const printed = '{{ n }}';

describe('Numbers', () => {
  for (const [what, data] of [
    ['JSON', '{"n": 12345678901234567890}'],
    ['YAML', 'n: 12345678901234567890'],
    ['XML', '<n>12345678901234567890</n>'],
    ['CSV', 'n;m\n12345678901234567890;1'],
  ] as const)
    test(`in ${what} keep digits that a double does not keep`, () => {
      const template = what === 'CSV' ? '{% for r in data %}{{ r.n }}{% endfor %}' : printed;
      assert.equal(fill(template, { data, options: jinja }), '12345678901234567890');
    });

  test('are printed as they are written', () => {
    for (const number of [
      '1.10',
      '0.1234567890123456789',
      '-9007199254740993',
      '1e400',
      '0.0',
      '1E5',
      '7',
      '-2.5',
    ])
      for (const data of [`{"n":${number}}`, `[{"n": [${number}]}]`, `n: ${number}`]) {
        const template = data.startsWith('[') ? '{{data.0.n}}' : printed;
        assert.equal(fill(template, { data }), number);
      }
    assert.equal(fill(printed, { data: 'n: 01067' }), '01067');
    assert.equal(fill(printed, { data: 'n: 0x1F' }), '31');
  });

  test('in strings, and in names, are not numbers', () => {
    const data = { '12345678901234567890': 'a "1.10" \\', n: '1.10', quoted: '\\"12345678901234567890' };
    assert.equal(fill('{{n}} {{quoted}}', { data }), '1.10 \\&quot;12345678901234567890');
    assert.equal(fill('{{ d|json }}', { data: { d: data }, options: jinja }), JSON.stringify(data));
  });

  test('with many digits are formatted, compared and grouped by all of them', () => {
    const data =
      '{"a":[{"id":9007199254740993,"x":1},{"id":9007199254740993,"x":2},{"id":9007199254740992,"x":3}]}';
    const groups = '{% for g in a|groupby("id") %}{{ g.grouper }}:{{ g.list|length }} {% endfor %}';
    assert.equal(fill(groups, { data, options: jinja }), '9007199254740992:1 9007199254740993:2 ');
    const template =
      '{{ a[0].id == a[2].id }} {{ a[0].id > a[2].id }} {{ a[0].id|number }} {{ a[0].id|currency("EUR") }}';
    assert.equal(
      fill(template, { data, options: jinja }),
      'false true 9,007,199,254,740,993 €9,007,199,254,740,993.00',
    );
    assert.equal(fill('{{ a[0]|json }}', { data, options: jinja }), '{"id":9007199254740993,"x":1}');
  });

  test('count as numbers: zero is falsy, and arithmetic uses them', () => {
    const data = '{"zero":0.00,"price":19.90}';
    assert.equal(fill('{{#if zero}}yes{{else}}no{{/if}} {{add price 1}}', { data }), 'no 20.9');
    assert.equal(
      fill('{{ price is number }} {{ price * 2 }} {{ price + 1 }}', { data, options: jinja }),
      'true 39.8 20.9',
    );
  });

  test('that a computation cannot keep are an error that says what to do', () => {
    for (const n of ['9007199254740993', '"9007199254740993"'])
      for (const template of ['{{ n - 1 }}', '{{ n|round }}', '{{ [n, 1]|sum }}'])
        assert.match(
          errorMessageOf(template, { data: `{"n":${n}}`, options: jinja }),
          /9007199254740993 has more digits than can be computed with exactly; print it as it is/,
        );
    assert.match(
      errorMessageOf('{{ n * 1000 }}', { data: '{"n":9007199254740991}', options: jinja }),
      /has more digits than can be computed exactly/,
    );
  });

  test('without end in a string that looks like a number are read once', () => {
    const data = `{"n":"${'\\\\'.repeat(100_000)}","m":1.10}`;
    assert.equal(fill('{{m}}', { data }), '1.10');
  });
});

describe('A single XML element is a list of one', () => {
  const options = { data_options: 'xml_remove_root=true' };
  const one = '<d><row><id>7</id></row><tags><tag>Pen</tag></tags></d>';
  const two = '<d><row><id>7</id></row><row><id>8</id></row><tags><tag>Pen</tag><tag>Ink</tag></tags></d>';

  test('in Jinja', () => {
    for (const [template, first, both] of [
      ['{% for r in row %}{{ r.id }},{% endfor %}', '7,', '7,8,'],
      ['{{ row[0].id }} {{ row[-1].id }} {{ row|length }}', '7 7 1', '7 8 2'],
      [
        '{{ (row|first).id }} {{ row|sum("id") }} {{ row|map(attribute="id")|join("+") }}',
        '7 7 7',
        '7 15 7+8',
      ],
      [
        '{% for t in tags.tag %}{{ t }};{% endfor %} {{ tags.tag|join(", ") }}',
        'Pen; Pen',
        'Pen;Ink; Pen, Ink',
      ],
      ['{% for r in row if r.id > 6 %}x{% endfor %}', 'x', 'xx'],
    ] as const) {
      assert.equal(fill(template, { data: one, options: { ...options, ...jinja } }), first);
      assert.equal(fill(template, { data: two, options: { ...options, ...jinja } }), both);
    }
  });

  test('in Handlebars', () => {
    for (const [template, first, both] of [
      ['{{#each row}}{{id}},{{/each}}', '7,', '7,8,'],
      ['{{#row}}{{id}},{{/row}} {{row.length}} {{row.0.id}}', '7, 1 7', '7,8, 2 7'],
      ['{{#each tags.tag}}{{this}};{{/each}} {{join tags.tag}}', 'Pen; Pen', 'Pen;Ink; Pen, Ink'],
    ] as const) {
      assert.equal(fill(template, { data: one, options }), first);
      assert.equal(fill(template, { data: two, options }), both);
    }
  });

  test('but an object with names and values where two loop variables ask for them, or .items()', () => {
    const pairs =
      '{% for k, v in row %}{{ k }}={{ v }}{% endfor %} {% for k, v in row.items() %}{{ k }}={{ v }}{% endfor %}';
    assert.equal(fill(pairs, { data: one, options: { ...options, ...jinja } }), 'id=7 id=7');
    assert.equal(
      fill('{{ row.id|length }}', {
        data: '<d><row><id>123</id></row></d>',
        options: { ...options, ...jinja },
      }),
      '3',
    );
  });

  test('beside a list of 200,000 elements', () => {
    const data = `<d>${'<r>1</r>'.repeat(200_000)}<row><id>7</id></row></d>`;
    assert.equal(
      fill('{{ r|length }} {{ row|length }}', { data, options: { ...options, ...jinja } }),
      '200000 1',
    );
  });

  test('in XML only: objects of JSON are still iterated by name', () => {
    assert.equal(
      fill('{% for k in o %}{{ k }}{% endfor %}', { data: { o: { a: 1, b: 2 } }, options: jinja }),
      'ab',
    );
    assert.equal(fill('{{#each o}}{{@key}}{{this}}{{/each}}', { data: { o: { a: 1, b: 2 } } }), 'a1b2');
  });
});

describe('The delimiter of CSV', () => {
  const rows = '{% for r in data %}[{{ r.a }}|{{ r.b }}]{% endfor %}';
  for (const [what, data, expected] of [
    ['a semicolon', '\ufeffa;b\n1;2,5\n"x;y";"z ""q"""\n', '[1|2,5][x;y|z "q"]'],
    ['a tab', 'a\tb\n1, 2\t3; 4\n', '[1, 2|3; 4]'],
    ['a bar', 'a|b\n1,5|2\n', '[1,5|2]'],
    ['a comma among semicolons in values', 'a,b\n1;2,3;4\n5;6,7;8\n', '[1;2|3;4][5;6|7;8]'],
    ['a semicolon among quoted names with commas', '"a";"b";"c, d"\n1;2;3\n', '[1|2]'],
  ] as const)
    test(`is recognised: ${what}`, () => {
      assert.equal(fill(rows, { data, options: { ...jinja, data_format: 'csv' } }), expected);
      assert.equal(fill(rows, { data, options: jinja }), expected);
    });

  test('is the one that data_options names, if it does', () => {
    const options = { ...jinja, data_format: 'csv', data_options: 'csv_delimiter=,' } as const;
    assert.equal(
      fill('{% for r in data %}{{ r["a;b"] }}{% endfor %}', { data: 'a;b,c\n1;2,3\n', options }),
      '1;2',
    );
  });
});

test('a slice is an error that names what to write instead', () => {
  for (const [slice, column] of [
    ['0:1', 17],
    ['1:', 17],
    [':1', 18],
    ['::2', 18],
  ] as const) {
    const message = errorMessageOf(`{% for r in rows[${slice}] %}{% endfor %}`, {
      data: { rows: [1] },
      options: jinja,
    });
    assert.match(message, /slices such as \[0:5\] are not supported; use first, last or batch/, slice);
    assert.match(message, new RegExp(`line 1, column ${column}:`), slice);
  }
});

test('a bracket that is not closed is named', () => {
  const message = errorMessageOf('{{ rows[0 }}', { data: { rows: [1] }, options: jinja });
  assert.match(message, /line 1, column 8: a comma or a closing bracket is missing/);
});
