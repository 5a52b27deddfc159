import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { mayRunScripts } from '../../../main/input/static-document.ts';

const canRunScripts = (html: string) => mayRunScripts(Buffer.from(html));

const scripted = [
  '<script>x</script>',
  '<SCRIPT src=x>',
  '<svg><script>x',
  '<iframe src=x>',
  '<frameset>',
  '<frame src=x>',
  '<object data=x>',
  '<embed src=x>',
  '<applet>',
  '<img src=x onerror=a()>',
  '<img src=x ONERROR = a()>',
  "<img src='x'onerror=a()>",
  '<img/onerror=a()>',
  '<body\nonload=a()>',
  '<body\fonload=a()>',
  '<a href="javascript:a()">',
  '<a href="JavaScript : a()">',
  '<meta http-equiv=refresh content=0>',
  '<?xml-stylesheet href=x?>',
  '<iframe srcdoc="x">',
  '<svg><set to=x>',
  '<svg><animate values=x>',
  '<style>p { animation-timeline: view() }</style>',
];

test('everything that can run a script or needs frames is detected, in any spelling and anywhere in the document', () => {
  for (const html of scripted) assert.ok(canRunScripts(html), html);
  const text = fc.string({ unit: 'grapheme' });
  fc.assert(
    fc.property(fc.constantFrom(...scripted), text, text, (html, before, after) =>
      canRunScripts(`${before}${html}${after}`),
    ),
  );
});

test('a letter without scripts is static, even if its words look like scripts', () => {
  const quiet = [
    '<!doctype html><title>x</title><p style="color:red">Invoice <b>on</b> paper</p>',
    '<p>The description = long; a-one=1',
    '<style>@import "a.css"</style>',
    '<p>prescription',
    '<button>settings</button>',
    '<a href="https://a.example/on">x</a>',
    '',
  ];
  for (const html of quiet) assert.ok(!canRunScripts(html), html);
});

test('a document in UTF-16 counts as dynamic, because its text is not searched', () => {
  assert.ok(mayRunScripts(Buffer.from('<p>', 'utf16le')));
});

test('a document of more than 4,000,000 bytes counts as dynamic', () => {
  assert.ok(!mayRunScripts(Buffer.alloc(4_000_000, ' ')));
  assert.ok(mayRunScripts(Buffer.alloc(4_000_001, ' ')));
});

const data = 'iVBORw0KGgo/+'.repeat(400_000);

test('embedded images do not count towards the length of a document, and hide no scripts', () => {
  const image = `<img src="data:image/png;base64,${data}==">`;
  assert.ok(!canRunScripts(`<p>one${image}two${image}three`));
  for (const html of scripted)
    for (const page of [`${html}${image}`, `${image}${html}`]) assert.ok(canRunScripts(page), html);
});

test('text that only looks like base64 data is searched for scripts', () => {
  const spaces = ' '.repeat(5000);
  for (const html of [
    `<img src=x base64,${data}/onerror="a()">`,
    `<img src=x base64,/onerror${spaces}="a()">`,
    `<img src=x base64,${data}/onerror${spaces}="a()"${data}>`,
    `<a href="base64,${data}" href='javascript${spaces}:a()'>`,
    `base64,<script>${data}</script>`,
    `base64,${data}<script>`,
    `base64,${data}\0`,
  ])
    assert.ok(canRunScripts(html), html.slice(0, 100));
  for (const html of scripted) assert.ok(canRunScripts(`base64,${data}${html}${data}`), html);
});

test('documents made to be slow to search are searched in less than five seconds', { timeout: 5000 }, () => {
  for (const unit of ['base64,', 'base64,<', '<', '< ', ' on', ' onaaaa', 'javascript ', '<\n\n\n', ' ', 'a'])
    mayRunScripts(Buffer.alloc(3_900_000, unit));
});
