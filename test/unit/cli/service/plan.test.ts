import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { readWords } from '../../../../main/cli/account/words.ts';
import { noteOf, planIn } from '../../../../main/cli/service/plan-note.ts';
import { planOf, whichService, type KeptPlan } from '../../../../main/cli/service/plan.ts';
import { UsageProblem } from '../../../../main/cli/usage-problem.ts';
import { aPlan, nastyNames } from './a-plan.ts';

const flags = { name: 'value', user: 'switch', data: 'value', as: 'value', writable: 'value' } as const;
const usual = { as: 'platen', data: '/var/lib/platen' };

const planned = (words: readonly string[], kept?: KeptPlan) => {
  const read = readWords(words, flags);
  return planOf(read, { which: whichService(read), kept, usual });
};

const first = planned(['--data', '/srv/pdf', '--as', 'alice', '--writable', '/srv/hot,/mnt/in']);

describe('a service that is installed again', () => {
  test('keeps its data folder, its user and its folders', () => {
    assert.deepEqual(planned([], first), first);
    assert.deepEqual(first.writable, ['/srv/hot', '/mnt/in']);
  });

  test('takes what is said now instead', () => {
    assert.deepEqual(planned(['--as', 'bob', '--writable='], first), { ...first, as: 'bob', writable: [] });
  });

  test('is told by its note whatever its folders are called, in every file a note stands in', () => {
    for (const name of nastyNames) {
      const plan = { ...first, data: `/srv/${name}`, writable: [`/mnt/${name}`] };
      const note = noteOf(plan);
      assert.match(note, /^[\x20-\x7e]+$/);
      assert.doesNotMatch(note, /[<>&]|--/);
      assert.deepEqual(planIn(`# first\n<!-- ${note} -->\n# {"x":1}`), plan, name);
      assert.deepEqual(planIn(`<Documentation>${note}</Documentation>`), plan, name);
    }
  });

  test('is not guessed from a definition somebody else has written', () => {
    assert.equal(planIn('[Service]\nExecStart=/usr/bin/platen serve'), undefined);
    assert.equal(planIn('# platen-service {"name": 1}'), undefined);
  });
});

test('names that would be paths or flags are refused', () => {
  for (const name of ['../x', 'Platen', '-x', 'a.b', ''])
    assert.throws(() => whichService(readWords([`--name=${name}`], flags)), UsageProblem, name);
});

test('a folder that is not absolute, a control character and two users are refused', () => {
  for (const words of [
    ['--writable', 'relative'],
    ['--data', '/srv/a\nUser=root'],
    ['--as', 'a\u007f'],
    ['--user', '--as', 'bob'],
  ])
    assert.throws(() => planned(words), UsageProblem, words.join(' '));
  assert.equal(aPlan().as, planned([]).as);
});
