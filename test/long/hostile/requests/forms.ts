/** Malformed multipart bodies, hostile field and file names, and values with line breaks. */
import { post, type BadRequest } from './bad-request.ts';

const disposition = (rest: string) => `Content-Disposition: form-data; ${rest}`;
const part = (name: string, value: string) => `--b\r\n${disposition(`name="${name}"`)}\r\n\r\n${value}\r\n`;
const text = part('text', 'x');
const end = '--b--\r\n';

const multipart = (what: string, body: string, expected: RegExp): BadRequest => ({
  what: `a form with ${what}`,
  request: post('multipart/form-data; boundary=b', body),
  expected,
});

const harmless = (what: string, body: string, expected = /^200 %PDF/): BadRequest => ({
  ...multipart(what, body, expected),
  status: 200,
});

const bodies: readonly BadRequest[] = [
  {
    what: 'a form without a boundary',
    request: post('multipart/form-data', text + end),
    expected: /^400 400\.302 - .*boundary/,
  },
  {
    what: 'a form with an empty boundary',
    request: post('multipart/form-data; boundary=""', text + end),
    expected: /^400 400\.302 - .*boundary/,
  },
  {
    what: 'a form with a boundary of 5,000 characters',
    request: post(`multipart/form-data; boundary=${'b'.repeat(5000)}`, 'x'),
    expected: /^400 400\.302 - /,
  },
  {
    what: 'a form with the wrong boundary',
    request: post('multipart/form-data; boundary=other', text + end),
    expected: /^400 400\.302 - /,
  },
  multipart('no end', text, /^400 400\.302 - /),
  multipart('an end in the middle of a header', '--b\r\nContent-Disp', /^400 400\.302 - /),
  multipart(
    'headers of 20 kB in a part',
    `--b\r\nX: ${'x'.repeat(20_000)}\r\n${disposition('name="text"')}\r\n\r\nx\r\n${end}`,
    /^400 400\.302 - .*headers of a part/,
  ),
  multipart(
    '3,000 headers in a part',
    `--b\r\n${'X: x\r\n'.repeat(3000)}${disposition('name="text"')}\r\n\r\nx\r\n${end}`,
    /^400 400\.30[123] - /,
  ),
  multipart('10,000 parts', text.repeat(10_000) + end, /^400 400\.302 - .*more than 500 fields/),
  multipart(
    '10,000 files',
    `--b\r\n${disposition('name="file"; filename="a"')}\r\n\r\nx\r\n`.repeat(10_000) + end,
    /^400 400\.302 - .*more than 20 files/,
  ),
  multipart(
    'a part without a name',
    `--b\r\n${disposition('x="y"')}\r\n\r\nx\r\n${end}`,
    /^400 400\.302 - .*no name/,
  ),
  multipart('an empty name', part('', 'x') + end, /^400 400\.30[23] - /),
  multipart(
    'a name of 1,000 characters',
    part('a'.repeat(1000), 'x') + end,
    /^400 400\.302 - .*longer than 200/,
  ),
  multipart(
    'a form in a form',
    `--b\r\n${disposition('name="text"')}\r\nContent-Type: multipart/mixed; boundary=c\r\n\r\n--c\r\n\r\nx\r\n--c--\r\n${end}`,
    /^200 %PDF|^400 400\.30\d - /,
  ),
  ...[
    '__proto__',
    'constructor',
    'prototype',
    'toString',
    'hasOwnProperty',
    '__proto__[text]',
    'constructor[prototype][text]',
    'text[]',
    'text[0]',
    'text[text]',
    'a[99999999]',
    `a${'[b]'.repeat(60)}`,
    'text\0',
    'TEXT ',
  ].map((name) =>
    multipart(
      `a field called ${JSON.stringify(name.slice(0, 40))}`,
      part(name, 'x') + text + end,
      /^(400 400\.(30[23]|311) - |200 %PDF)/,
    ),
  ),
  multipart(
    'a line break in a name',
    `--b\r\n${disposition('name="a%0d%0aX-Evil: 1"')}\r\n\r\nx\r\n${text}${end}`,
    /^400 400\.303 - /,
  ),
  multipart('the same field ten times', text.repeat(10) + end, /^400 400\.311 - .*more than once/),
].map((wrong) => (wrong.expected.source.includes('%PDF') ? { ...wrong, status: 200 as const } : wrong));

const named = (what: string, filename: string): BadRequest =>
  harmless(
    `a file name ${what}`,
    `--b\r\n${disposition(`name="file"; ${filename}`)}\r\n\r\n<p>x\r\n${end}`,
    /^(200 %PDF|400 400\.30[25] - )/,
  );

const files: readonly BadRequest[] = [
  named('with a path', 'filename="../../../../tmp/evil.html"'),
  named('with a Windows path', 'filename="C:\\\\evil\\\\a.html"'),
  named('with a line break', 'filename="a%0d%0aX-Evil: 1.html"'),
  named('in filename*', "filename*=UTF-8''..%2f..%2fevil.html"),
  named('in an invalid filename*', "filename*=UTF-8''%ff%fe%00.html"),
  named('with 10,000 characters', `filename="${'a'.repeat(10_000)}.html"`),
];

const header = (what: string, fields: string): BadRequest => ({
  what: `a header injected by ${what}`,
  request: post('application/x-www-form-urlencoded', `text=x&${fields}`),
  expected: /^(400 400\.311 - (?!.*\n)|200 %PDF)/,
  status: 200,
});

const evil = 'a%0d%0aX-Evil:%201%0d%0a%0d%0a';

const headers: readonly BadRequest[] = [
  'tag',
  'output_name',
  'title',
  'custom_http_header',
  'cookies',
  'converter_user_agent',
  'locale',
  'http_auth_user_name',
].map((name) => header(name, `${name}=${name === 'custom_http_header' ? 'X-A:' : ''}${evil}`));

export const forms = [...bodies, ...files, ...headers];
