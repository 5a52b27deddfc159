import assert from 'node:assert/strict';
import { test } from 'node:test';
import { optionNames, table, type OptionName, type OptionRow } from '../../../main/job/options.ts';
import { refusedValues } from '../../../build/pages/compatibility.ts';
import { pdfcrowdFields, pdfcrowdSetters } from '../../support/clients/pdfcrowd-fields.ts';

const row = (name: string): OptionRow | undefined =>
  (table as Readonly<Record<string, OptionRow>>)[name] ??
  optionNames.map((option): OptionRow => table[option]).find(({ aliases }) => aliases?.includes(name));

/** Fields of the Pdfcrowd API for which the official clients have no method. */
const withoutSetter = ['input_format', 'output_name', 'content_disposition'];

const clients = ['HtmlToPdfClient', 'HtmlToImageClient'] as const;

test('the official Pdfcrowd client has 133 fields for PDF and 55 for images', () => {
  assert.deepEqual(
    clients.map((client) => pdfcrowdFields(client).length),
    [133, 55],
  );
});

test('every field that the official Pdfcrowd client can send is an option', () => {
  const names = clients.flatMap(pdfcrowdFields);
  assert.deepEqual(
    names.filter((name) => row(name) === undefined),
    [],
  );
});

test('every option that is neither a field of the official Pdfcrowd client nor documented for its API is marked as an extension', () => {
  const known = [...clients.flatMap(pdfcrowdFields), ...withoutSetter];
  const ownOptions = optionNames.filter((name) => (table[name] as OptionRow).isExtension !== true);
  assert.deepEqual(
    ownOptions.filter((name) => !known.includes(name)),
    [],
  );
});

test('no option of the official Pdfcrowd client is marked as an extension', () => {
  const names = clients.flatMap(pdfcrowdFields);
  assert.deepEqual(
    names.filter((name) => row(name)?.isExtension === true),
    [],
  );
});

test('options apply to the outputs for which the official Pdfcrowd clients send them', () => {
  for (const [client, output] of [
    ['HtmlToPdfClient', 'pdf'],
    ['HtmlToImageClient', 'image'],
  ] as const) {
    const misplaced = pdfcrowdFields(client).filter(
      (name) => !['both', output].includes(row(name)?.output ?? ''),
    );
    assert.deepEqual(misplaced, []);
  }
});

test('every value of the official Pdfcrowd client is allowed, or documented as refused', () => {
  const words = clients.flatMap((client) =>
    pdfcrowdSetters(client).flatMap(({ fields: [name = ''], words }) =>
      words.map((word) => [name, word] as const),
    ),
  );
  const inTable = words.filter(([name]) => name !== '');
  assert.equal(inTable.length, 100);
  const refused = inTable.filter(([name, word]) => row(name)?.kind.read(word) === undefined);
  for (const [name, word] of refused)
    assert.ok(refusedValues[name as OptionName]?.includes(word), `${name}=${word}`);
});

test('no allowed value is documented as refused', () => {
  for (const [name, words] of Object.entries(refusedValues))
    for (const word of words) assert.equal(row(name)?.kind.read(word), undefined, `${name}=${word}`);
});
