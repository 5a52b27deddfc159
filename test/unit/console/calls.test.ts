import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Account } from '../../../main/accounts/account.ts';
import { openCalls, type Handlers } from '../../../main/console/calls.ts';
import { calls, type CallName } from '../../../main/console/contract.ts';
import { Failure } from '../../../main/failure/failure.ts';

const ann: Account = { id: 1, name: 'ann', operator: false, debugLog: false };
const boss: Account = { ...ann, operator: true };

/** Handlers that resolve to the name and the input of the call. */
const echo = Object.fromEntries(
  Object.keys(calls).map((name) => [name, (input: unknown) => Promise.resolve({ name, input })]),
) as unknown as Handlers;
const call = openCalls(echo);

async function refusal(name: string, input: unknown, caller = boss): Promise<Failure> {
  try {
    await call({ name, input, caller });
  } catch (problem) {
    assert.ok(problem instanceof Failure);
    return problem;
  }
  return assert.fail('the call was not refused');
}

test('a call gets its input with defaults for omitted fields', async () => {
  assert.deepEqual(await call({ name: 'jobs', input: { text: 'a' }, caller: ann }), {
    name: 'jobs',
    input: { text: 'a', limit: 50 },
  });
  assert.deepEqual(await call({ name: 'state', input: undefined, caller: ann }), {
    name: 'state',
    input: {},
  });
});

test('operator calls are refused to other accounts before their input is read', async () => {
  const names = Object.keys(calls) as CallName[];
  for (const name of names.filter((candidate) => calls[candidate].right === 'operator'))
    assert.equal((await refusal(name, { wrong: 1 }, ann)).kind, 'operatorOnly', name);
});

const wrong: readonly (readonly [name: string, input: unknown, pattern: RegExp])[] = [
  ['jobs', { limit: 501 }, /limit/],
  ['jobs', { outcome: 'lost', before: '1' }, /outcome.*before|before.*outcome/],
  ['jobs', { colour: 1 }, /colour/],
  ['jobs', 'x', /the input/],
  ['log', {}, /job/],
  ['addAccount', { name: '' }, /name/],
  ['setCredits', { name: 'a', credits: -1 }, /credits/],
];
for (const [name, input, pattern] of wrong)
  test(`${name} with ${JSON.stringify(input)} is refused with the name of the wrong field`, async () => {
    const { kind, message } = await refusal(name, input);
    assert.equal(kind, 'valueNotAllowed');
    assert.match(message, pattern);
  });

test('an unknown call is refused, with the nearest known name if there is one; names from Object.prototype are unknown', async () => {
  assert.match((await refusal('job', {})).message, /id/);
  assert.match((await refusal('jbos', {})).message, /did you mean jobs\?/);
  for (const name of ['constructor', '__proto__', 'toString', ''])
    assert.equal((await refusal(name, {})).kind, 'notFound', name);
});

test('a megabyte of wrong input is refused in less than 5,000 characters', async () => {
  const many = Object.fromEntries(Array.from({ length: 60_000 }, (_, index) => [`wrong-${index}`, {}]));
  for (const [name, input] of [
    ['state', many],
    ['changeSettings', { values: many }],
  ] as const)
    assert.ok((await refusal(name, input)).message.length < 5000, name);
});
