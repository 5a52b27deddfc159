/** Converts the corpus of realistic pages with default options to PDF and PNG. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { oracles } from './oracles/all.ts';
import type { Format } from './oracle.ts';
import { CorpusRun, type CorpusRequest } from './results.ts';

/** Six pages in parallel cost little, because the conversion of a reference mostly waits for six seconds. */
const referenceCallers = 6;

const formats: readonly Format[] = ['pdf', 'png'];
const requests: readonly CorpusRequest[] = oracles.flatMap((oracle) => [
  ...formats.map((format) => ({ oracle, format, options: oracle.requiredOptions ?? {} })),
  ...(oracle.archive === true
    ? [{ oracle, format: 'pdf' as const, asArchive: true, options: oracle.requiredOptions ?? {} }]
    : []),
]);

describe('a realistic page is converted correctly with default options', { concurrency: 2 }, () => {
  let run: CorpusRun;
  before(async () => {
    run = await CorpusRun.open(referenceCallers);
    await run.prepare(requests, referenceCallers);
  });
  after(() => run[Symbol.asyncDispose]());
  for (const each of requests) {
    const sentAs = each.asArchive === true ? ', sent as an archive' : '';
    const requiredOptions =
      each.oracle.requiredOptions === undefined
        ? ''
        : ` with ${Object.keys(each.oracle.requiredOptions).join(' and ')}`;
    it(`${each.oracle.page} as ${each.format}${sentAs}${requiredOptions}`, async () => {
      const { reasons } = await run.check(each);
      assert.deepEqual(reasons, [], 'the result is in .build/test/real/');
    });
  }
});
