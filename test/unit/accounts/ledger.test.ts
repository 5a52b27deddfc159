import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { JobEntry } from '../../../main/accounts/ledger/job-entry.ts';
import { Failure } from '../../../main/failure/failure.ts';
import { failedResult, convertedResult, temporaryLedger } from '../../support/accounts/ledger.ts';
import { describeWithDatabases } from '../../support/accounts/accounts.ts';

describeWithDatabases(({ kind }) => {
  interface Model {
    readonly entry: JobEntry;
    held: number;
    paid: number;
    state: 'under way' | 'converted' | 'over';
  }

  const steps = [
    'begin',
    'begin',
    'hold',
    'hold',
    'charge',
    'charge',
    'fail',
    'refund',
    'dispose',
    'kill',
  ] as const;

  test('no sequence of starts, reservations, charges, failures, refunds and crashes overdraws an account or loses a credit', async () => {
    const sequences = fc.array(
      fc.tuple(fc.constantFrom(...steps), fc.nat(9), fc.integer({ min: 1, max: 4 })),
      {
        minLength: 20,
        maxLength: 50,
        size: 'max',
      },
    );
    await fc.assert(
      fc.asyncProperty(fc.nat(7), sequences, async (credits, sequence) => {
        await using ledger = await temporaryLedger(kind);
        const ann = await ledger.account({ name: 'ann', credits });
        let models: Model[] = [];
        const left = () => credits - models.reduce((sum, { paid }) => sum + paid, 0);
        const free = () => left() - models.reduce((sum, { held }) => sum + held, 0);
        for (const [step, which, price] of sequence) {
          if (step === 'begin') {
            const entry = await ledger.begin(ann);
            const credited = free() >= 1;
            if (!credited) assert.equal(entry.hasCredit, false);
            models.push({ entry, held: credited ? 1 : 0, paid: 0, state: 'under way' });
          }
          if (step === 'kill') {
            await ledger.crash();
            for (const model of models)
              if (model.state === 'under way') Object.assign(model, { held: 0, state: 'over' });
          }
          const affected = models[which % Math.max(1, models.length)];
          if (affected !== undefined && step !== 'begin' && step !== 'kill')
            await play(step, affected, { price, free: free() + affected.held });
          const row = await ledger.accountRow(ann);
          assert.equal((row.granted ?? 0) - row.spent, left());
          assert.ok(free() >= 0, 'overdrawn');
          const jobs = await ledger.database.selectFrom('jobs').select(['charged', 'reserved']).execute();
          assert.equal(sum(jobs.map(({ charged }) => charged)), row.spent);
          assert.equal(sum(jobs.map(({ reserved }) => reserved)), left() - free());
        }
        models = [];
      }),
      // A run on PostgreSQL takes ten times as long.
      { numRuns: kind === 'sqlite' ? 80 : 20 },
    );
  });

  async function play(
    step: 'hold' | 'charge' | 'fail' | 'refund' | 'dispose',
    model: Model,
    { price, free }: { price: number; free: number },
  ): Promise<void> {
    const { entry, state } = model;
    if (step === 'refund') {
      await entry.refund();
      if (state === 'converted') Object.assign(model, { paid: 0, state: 'over' });
      return;
    }
    if (step === 'charge') {
      if (state !== 'under way') await assert.rejects(entry.charge({}, never));
      else {
        await entry.charge({}, () => {});
        Object.assign(model, { paid: model.held, held: 0, state: 'converted' });
      }
      return;
    }
    if (step === 'hold') {
      if (state !== 'under way') return;
      if (price > free) await assert.rejects(entry.hold(price, convertedResult), Failure);
      else {
        const { consumed, remaining } = await entry.hold(price, convertedResult);
        assert.equal(consumed, price);
        // With PostgreSQL, the receipt of one credit has the balance from when the job was entered.
        if (kind === 'sqlite' || price > 1) assert.equal(remaining, free - price);
        model.held = price;
      }
      return;
    }
    await (step === 'fail' ? entry.fail(failedResult) : entry[Symbol.asyncDispose]());
    if (state === 'under way') Object.assign(model, { held: 0, state: 'over' });
  }

  const sum = (numbers: readonly number[]) => numbers.reduce((all, number) => all + number, 0);

  function never(): void {
    throw new Error('this callback must not be called');
  }
});
