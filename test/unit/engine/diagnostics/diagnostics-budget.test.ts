import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { WindowRun } from '../../../../main/engine/window-run.ts';
import { budgetFor, DiagnosticsBudget } from '../../../../main/engine/diagnostics/diagnostics-budget.ts';

test('an overspent diagnostics budget refills with its share of the elapsed time', () => {
  let now = 0;
  const budget = new DiagnosticsBudget({ share: 0.1, maxMs: 20 }, () => now);
  budget.spend(15);
  assert.equal(budget.hasTime(), true);
  budget.spend(15);
  assert.equal(budget.hasTime(), false);
  now = 99;
  assert.equal(budget.hasTime(), false);
  now = 101;
  assert.equal(budget.hasTime(), true);
});

test('a diagnostics budget never exceeds its maximum', () => {
  let now = 0;
  const budget = new DiagnosticsBudget({ share: 0.1, maxMs: 20 }, () => now);
  now = 1_000_000;
  assert.equal(budget.hasTime(), true);
  budget.spend(20);
  assert.equal(budget.hasTime(), false);
});

/** Requests the budget for a job. Returns whether the job may use it, and the notes in the debug log. */
function requestBudget(diagnosticsBudget: DiagnosticsBudget, isCrowded: boolean) {
  const notes: string[] = [];
  const log = { note: (text: string) => notes.push(text) } as unknown as WindowRun['log'];
  const run = { log, isQueueLong: () => isCrowded } as WindowRun;
  return { may: budgetFor({ diagnosticsBudget }, run) !== undefined, notes };
}

test('a page is examined if no job is queued or the budget has time left; otherwise the debug log notes that it was not examined', () => {
  const spent = new DiagnosticsBudget({ share: 0, maxMs: 0 });
  assert.deepEqual(requestBudget(spent, false), { may: true, notes: [] });
  assert.deepEqual(requestBudget(new DiagnosticsBudget({ share: 0, maxMs: 1 }), true), {
    may: true,
    notes: [],
  });
  const { may, notes } = requestBudget(spent, true);
  assert.equal(may, false);
  assert.match(notes.join(), /not examined/);
});
