import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JobOutcome } from '../../../main/accounts/store/tables.ts';
import {
  failedResult,
  convertedResult,
  temporaryLedger,
  type TestLedger,
} from '../../support/accounts/ledger.ts';
import { describeWithDatabases } from '../../support/accounts/accounts.ts';

describeWithDatabases(({ kind }) => {
  async function find({ jobs }: TestLedger, text: string): Promise<(string | null)[]> {
    return (await jobs.list({ text, limit: 10 })).jobs.map(({ tag }) => tag);
  }

  /** Starts a job with this tag. Waits for the next millisecond first, because job ids sort by their start time in milliseconds. */
  async function tagged(ledger: TestLedger, account: number, tag: string) {
    const now = Date.now();
    while (Date.now() === now) await new Promise(setImmediate);
    const entry = await ledger.begin(account);
    const facts = { input: null, output_format: null, parameters: null, input_bytes: null, debug_log: null };
    await entry.describe({ ...facts, tag });
    return entry;
  }

  test('a search finds jobs by part of their tag, id or message, regardless of case', async () => {
    await using ledger = await temporaryLedger(kind);
    const ann = await ledger.account({ name: 'ann' });
    const { id } = await tagged(ledger, ann, 'Übersicht');
    await (
      await tagged(ledger, ann, 'bill')
    ).fail({ ...failedResult, message: 'The Selector matches nothing.' });
    assert.deepEqual(await find(ledger, 'übersicht'), ['Übersicht']);
    assert.deepEqual(await find(ledger, 'ÜBER'), ['Übersicht']);
    assert.deepEqual(await find(ledger, id.slice(3).toUpperCase()), ['Übersicht']);
    assert.deepEqual(await find(ledger, 'selector MATCHES'), ['bill']);
    assert.deepEqual(await find(ledger, ''), ['bill', 'Übersicht']);
    assert.deepEqual(await find(ledger, 'invoice'), []);
  });

  test('a search finds all jobs among thousands that it excludes, page by page', async () => {
    await using ledger = await temporaryLedger(kind);
    const ann = await ledger.account({ name: 'ann' });
    const template = await ledger.jobRow((await tagged(ledger, ann, 'other')).id);
    const ids = Array.from({ length: 4500 }, (_, n) => `a${String(n).padStart(25, '0')}`);
    const rows = ids.map((id, n) => ({ ...template, id, tag: n % 2100 < 60 ? `found ${n}` : 'other' }));
    for (let from = 0; from < rows.length; from += 500)
      await ledger.database
        .insertInto('jobs')
        .values(rows.slice(from, from + 500))
        .execute();
    const tags: string[] = [];
    let before: string | undefined;
    do {
      const { jobs, next } = await ledger.jobs.list({ text: 'FOUND', limit: 70, ...(before && { before }) });
      tags.push(...jobs.map(({ tag }) => tag ?? ''));
      before = next ?? undefined;
    } while (before !== undefined);
    assert.deepEqual(
      tags,
      rows
        .map(({ tag }) => tag)
        .filter((tag) => tag !== 'other')
        .reverse(),
    );
  });

  test('a search treats the wildcards of LIKE as ordinary characters', async () => {
    await using ledger = await temporaryLedger(kind);
    const ann = await ledger.account({ name: 'ann' });
    for (const tag of ['100 %', 'a_b', 'axb', 'back\\slash']) await tagged(ledger, ann, tag);
    assert.deepEqual(await find(ledger, '%'), ['100 %']);
    assert.deepEqual(await find(ledger, '_'), ['a_b']);
    assert.deepEqual(await find(ledger, '\\'), ['back\\slash']);
  });

  test('a search finds ended and running jobs by outcome, which can be combined with text', async () => {
    await using ledger = await temporaryLedger(kind);
    const ann = await ledger.account({ name: 'ann' });
    await tagged(ledger, ann, 'running');
    await (await tagged(ledger, ann, 'wrong')).fail(failedResult);
    await (await tagged(ledger, ann, 'gone')).fail({ ...failedResult, outcome: 'caller gone' });
    const right = await tagged(ledger, ann, 'right');
    await right.hold(1, convertedResult);
    await right.charge({}, () => {});
    const tagsOf = async (outcome: JobOutcome | 'under way') =>
      (await ledger.jobs.list({ outcome, limit: 10 })).jobs.map(({ tag }) => tag);
    assert.deepEqual(
      [
        await tagsOf('under way'),
        await tagsOf('failed'),
        await tagsOf('caller gone'),
        await tagsOf('converted'),
      ],
      [['running'], ['wrong'], ['gone'], ['right']],
    );
    assert.deepEqual((await ledger.jobs.list({ outcome: 'failed', text: 'right', limit: 10 })).jobs, []);
  });
});
