import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { Failure } from '../../../main/failure/failure.ts';
import { optionNames, table, type OptionName, type OptionRow } from '../../../main/job/options.ts';
import type { ReceivedField } from '../../../main/job/read-fields.ts';
import { readJob, type ParsedJob } from '../../../main/job/read-job.ts';
import { limits } from './forms.ts';

const row = (name: OptionName): OptionRow => table[name];
const textOptions = optionNames.filter((name) => row(name).kind !== table.file.kind);
const secrets = textOptions.filter((name) => row(name).secret === true);

/** Generates valid, nearly valid and random values of an option. */
const value = (name: OptionName): fc.Arbitrary<string> => {
  const { schema } = row(name).kind;
  return fc.oneof(
    fc.constantFrom(...(schema.enum ?? []), ...(schema.examples ?? []), row(name).default ?? '1'),
    schema.pattern === undefined
      ? fc.constantFrom('1', 'true')
      : fc.stringMatching(new RegExp(schema.pattern)),
    fc.string({ unit: 'binary' }),
    fc.constantFrom('0', '-1', '1e9', '99999999999999999999', '\0', ' ', ',', '1,,2', 'NaN', '__proto__'),
  );
};

const field: fc.Arbitrary<ReceivedField> = fc
  .constantFrom(...textOptions)
  .chain((name) => fc.record({ name: fc.constant(name), value: value(name) }));
const fields = fc.uniqueArray(field, { maxLength: 10, selector: ({ name }) => name });

/** Returns the job, or the message of the failure. Rethrows any other error. */
function outcome(all: readonly ReceivedField[]): ParsedJob | string {
  try {
    return readJob({ fields: all, files: [] }, limits);
  } catch (problem) {
    if (!(problem instanceof Failure)) throw problem;
    assert.equal(problem.status, 400);
    return problem.message;
  }
}

const validInput: ReceivedField = { name: 'text', value: '<p>' };
const others = fields.map((all) => all.filter(({ name }) => name !== 'text' && name !== 'url'));

describe('a form with random fields', () => {
  test('gives the same job or the same error whenever it is read', () => {
    fc.assert(
      fc.property(fields, (all) => {
        assert.deepEqual(outcome(all), outcome(structuredClone(all)));
      }),
      { numRuns: 1000 },
    );
  });

  test('with invalid values causes one error that names the option of each invalid value', () => {
    const wrong = (field: ReceivedField) =>
      field.value !== '' && row(field.name as OptionName).kind.read(field.value) === undefined;
    fc.assert(
      fc.property(others, (all) => {
        const result = outcome([validInput, ...all]);
        for (const { name } of all.filter(wrong)) {
          assert.equal(typeof result, 'string');
          assert.match(result as string, new RegExp(`\\b${name}\\b`));
        }
      }),
      { numRuns: 1000 },
    );
  });

  test('is read as if its empty fields were absent', () => {
    fc.assert(
      fc.property(others, fc.subarray(textOptions), (all, empty) => {
        const sentNames = new Set(all.map(({ name }) => name));
        const more = empty
          .filter((name) => !sentNames.has(name) && name !== 'text')
          .map((name) => ({ name, value: '' }));
        assert.deepEqual(outcome([validInput, ...more, ...all]), outcome([validInput, ...all]));
      }),
      { numRuns: 500 },
    );
  });

  test('may contain the values of an enumerated option in upper or lower case', () => {
    const words = textOptions.flatMap((name) =>
      (row(name).kind.schema.enum ?? []).map((word) => ({ name, word })),
    );
    fc.assert(
      fc.property(
        fc.constantFrom(...words),
        fc.array(fc.boolean(), { minLength: 40, maxLength: 40 }),
        ({ name, word }, upper) => {
          const mixedCase = Array.from(word, (letter, at) =>
            upper[at] === true ? letter.toUpperCase() : letter.toLowerCase(),
          ).join('');
          assert.deepEqual(row(name).kind.read(mixedCase), row(name).kind.read(word));
          assert.notEqual(row(name).kind.read(mixedCase), undefined);
        },
      ),
      { numRuns: 1000 },
    );
  });

  test('gets an error without the values of its secret options', () => {
    const secret = fc.stringMatching(/^secret-[\w!@:/;=,"'<> ]{4,60}$/);
    fc.assert(
      fc.property(others, fc.constantFrom(...secrets), secret, (all, name, hidden) => {
        const rest = all.filter((field) => field.name !== name);
        const result = outcome([{ name, value: hidden }, ...rest, { name: 'no_such', value: 'x' }]);
        assert.equal(typeof result, 'string');
        assert.doesNotMatch(result as string, /secret-/);
      }),
      { numRuns: 1000 },
    );
  });

  test('gives the same job in the reverse order of its fields', () => {
    fc.assert(
      fc.property(others, (all) => {
        const forwards = outcome([validInput, ...all]);
        const backwards = outcome([...all].reverse().concat(validInput));
        if (typeof forwards === 'string' || typeof backwards === 'string')
          assert.equal(typeof forwards, typeof backwards);
        else assert.deepEqual(forwards.options, backwards.options);
      }),
      { numRuns: 500 },
    );
  });
});
