import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ensureMacUser } from '../../../../main/cli/service/service-user.ts';
import type { runProgram } from '../../../../main/launch/run-program.ts';

/** A Mac without the user of the service, which accepts role accounts with ids in a range. Keeps the words of the last command. */
function fakeMac([least, most]: readonly [number, number] = [450, 499]) {
  let created: readonly string[] = [];
  const idOf = (flag: string) => created[created.indexOf(flag) + 1] ?? '';
  const run: typeof runProgram = ([program, ...words]) => {
    const answers: Readonly<Record<string, string>> = {
      dscl: '_www 70\n_other 499\n_platform 399\nann 501\n',
      id: idOf(words[0] === '-u' ? '-UID' : '-GID'),
    };
    const answer = (code: number) =>
      Promise.resolve({ code, out: answers[program ?? ''] ?? '', err: 'refused' });
    if (program === 'id') return answer(created.length > 0 ? 0 : 1);
    if (program !== 'sysadminctl') return answer(0);
    const id = Number(words[words.indexOf('-UID') + 1]);
    if (id < least || id > most) return answer(1);
    created = words;
    return answer(0);
  };
  return { run, created: () => created };
}

describe('the user of a service on macOS', () => {
  test('is created with a free id that this version of macOS accepts, and a group that Node.js accepts', async () => {
    const current = fakeMac([450, 499]);
    assert.deepEqual(await ensureMacUser('_platen', current.run), { uid: 498, gid: 20 });
    const earlier = fakeMac([200, 400]);
    assert.deepEqual(await ensureMacUser('_platen', earlier.run), { uid: 398, gid: 20 });
    assert.deepEqual(earlier.created().slice(0, 2), ['-addUser', '_platen']);
    assert.ok(earlier.created().includes('-roleAccount'));
  });

  test('is not created if macOS refuses every id', async () => {
    await assert.rejects(ensureMacUser('_platen', fakeMac([1, 2]).run), /sysadminctl.*refused/s);
  });

  test('is not created if it exists, or if its name does not start with _', async () => {
    const { run, created } = fakeMac();
    await assert.rejects(ensureMacUser('platen', run), /starts with _/);
    assert.deepEqual(created(), []);
    await ensureMacUser('_platen', run);
    const words = created();
    await ensureMacUser('_platen', run);
    assert.equal(created(), words);
  });
});
