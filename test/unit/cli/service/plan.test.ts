import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { UsageProblem } from '../../../../main/cli/terminal.ts';
import { parseArguments } from '../../../../main/cli/arguments.ts';
import {
  planNote,
  planInNote,
  planOf,
  readServiceId,
  type StoredPlan,
} from '../../../../main/cli/service/plan.ts';
import { samplePlan, namesThatNeedQuoting } from './sample-plan.ts';

const flags = { name: 'value', user: 'switch', data: 'value', as: 'value', writable: 'value' } as const;
const defaults = { as: 'platen', data: '/var/lib/platen' };

const planned = (words: readonly string[], stored?: StoredPlan) => {
  const read = parseArguments(words, flags);
  return planOf(read, { id: readServiceId(read), stored, defaults });
};

const first = planned(['--data', '/srv/pdf', '--as', 'alice', '--writable', '/srv/hot,/mnt/in']);

describe('a service that is installed again', () => {
  test('keeps its data folder, its user and its writable folders', () => {
    assert.deepEqual(planned([], first), first);
    assert.deepEqual(first.writable, ['/srv/hot', '/mnt/in']);
  });

  test('uses the new values of the given flags', () => {
    assert.deepEqual(planned(['--as', 'bob', '--writable='], first), { ...first, as: 'bob', writable: [] });
  });

  test('is recognised by the note in its definition file, with any folder names', () => {
    for (const name of namesThatNeedQuoting) {
      const plan = { ...first, data: `/srv/${name}`, writable: [`/mnt/${name}`] };
      const note = planNote(plan);
      assert.match(note, /^[\x20-\x7e]+$/);
      assert.doesNotMatch(note, /[<>&]|--/);
      assert.deepEqual(planInNote(`# first\n<!-- ${note} -->\n# {"x":1}`), plan, name);
      assert.deepEqual(planInNote(`<Documentation>${note}</Documentation>`), plan, name);
    }
  });

  test('is not recognised in a definition file without a valid note', () => {
    assert.equal(planInNote('[Service]\nExecStart=/usr/bin/platen serve'), undefined);
    assert.equal(planInNote('# platen-service {"name": 1}'), undefined);
  });
});

test('empty service names, and names with slashes, dots, capitals or a leading hyphen are refused', () => {
  for (const name of ['../x', 'Platen', '-x', 'a.b', ''])
    assert.throws(() => readServiceId(parseArguments([`--name=${name}`], flags)), UsageProblem, name);
});

test('relative folders, control characters, and --user together with --as are refused', () => {
  for (const words of [
    ['--writable', 'relative'],
    ['--data', '/srv/a\nUser=root'],
    ['--as', 'a\u007f'],
    ['--user', '--as', 'bob'],
  ])
    assert.throws(() => planned(words), UsageProblem, words.join(' '));
  assert.equal(samplePlan().as, planned([]).as);
});
