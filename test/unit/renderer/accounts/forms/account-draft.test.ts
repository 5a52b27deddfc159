import assert from 'node:assert/strict';
import { test } from 'node:test';
import { accountNames } from '../../../../../main/accounts/accounts.ts';
import type { AccountFacts } from '../../../../../main/accounts/account.ts';
import { calls } from '../../../../../main/console/contract.ts';
import {
  changeOf,
  draftOf,
  newAccountOf,
  newDraft,
  problemsIn,
} from '../../../../../renderer/accounts/forms/account-draft.ts';

const erp: AccountFacts = {
  id: 1,
  name: 'erp',
  operator: false,
  debugLog: false,
  demo: false,
  tray: false,
  balance: 4200,
  spent: 800,
  refill: { credits: 20_000, period: 'month' },
  jobsPerMinute: 120,
  createdAt: 0,
};

test('an unchanged form changes nothing', () => {
  assert.deepEqual(changeOf(draftOf(erp), draftOf(erp)), {});
});

test('only changes are sent, and an emptied limit is removed', () => {
  const before = draftOf(erp);
  const after = { ...before, jobsPerMinute: '', jobsAtOnce: '4', refill: '30.000', debugLog: true };
  assert.deepEqual(changeOf(before, after), {
    refill: { credits: 30_000, period: 'month' },
    jobsAtOnce: 4,
    jobsPerMinute: 'none',
    debugLog: true,
  });
  assert.deepEqual(changeOf(before, { ...before, period: 'none' }), { refill: 'none' });
});

test('a new account is unlimited by default, and the service accepts the form', () => {
  assert.deepEqual(newAccountOf({ ...newDraft, name: 'erp' }), { name: 'erp', credits: 'unlimited' });
  const limited = newAccountOf({
    ...newDraft,
    name: 'erp',
    limited: true,
    credits: '5,000',
    period: 'day',
    refill: '100',
    operator: true,
  });
  assert.deepEqual(limited, {
    name: 'erp',
    credits: 5000,
    operator: true,
    refill: { credits: 100, period: 'day' },
  });
  assert.deepEqual(calls.addAccount.input.parse(limited), limited);
});

test('a problem is reported at its field', () => {
  const wrong = { name: 'a b', limited: true, credits: 'many', period: 'day', refill: '0', jobsAtOnce: '0' };
  assert.deepEqual(Object.keys(problemsIn({ ...newDraft, ...wrong, period: 'day' })), [
    'name',
    'credits',
    'refill',
    'jobsAtOnce',
  ]);
  assert.deepEqual(problemsIn(draftOf(erp)), {});
});

test('the form allows the same names as the service', () => {
  for (const name of ['erp', 'Müller', 'a.b_c@d-e', '', 'a b', 'x'.repeat(65), 'a/b'])
    assert.equal(problemsIn({ ...newDraft, name }).name === undefined, accountNames.pattern.test(name), name);
});
