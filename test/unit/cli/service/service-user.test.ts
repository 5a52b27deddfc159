import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ensureMacUser } from '../../../../main/cli/service/service-user.ts';
import type { runProgram } from '../../../../main/launch/run-program.ts';

/** A Mac without the user of the service. Keeps the words of the command that creates it. */
function fakeMac() {
  const created: string[] = [];
  const idOf = (flag: string) => created[created.indexOf(flag) + 1] ?? '';
  const run: typeof runProgram = ([program, ...words]) => {
    const isKnown = program !== 'id' || created.length > 0;
    if (program === 'sysadminctl') created.push(...words);
    const answers: Readonly<Record<string, string>> = {
      dscl: '_www 70\n_platform 399\nann 501\n',
      id: idOf(words[0] === '-u' ? '-UID' : '-GID'),
    };
    return Promise.resolve({ code: isKnown ? 0 : 1, out: answers[program ?? ''] ?? '', err: '' });
  };
  return { run, created };
}

describe('the user of a service on macOS', () => {
  test('is created with a free id below 400 and a group that Node.js accepts', async () => {
    const { run, created } = fakeMac();
    assert.deepEqual(await ensureMacUser('_platen', run), { uid: 398, gid: 20 });
    assert.deepEqual(created.slice(0, 2), ['-addUser', '_platen']);
    assert.ok(created.includes('-roleAccount'));
  });

  test('is not created if it exists, or if its name does not start with _', async () => {
    const { run, created } = fakeMac();
    await assert.rejects(ensureMacUser('platen', run), /starts with _/);
    assert.deepEqual(created, []);
    await ensureMacUser('_platen', run);
    const words = created.length;
    await ensureMacUser('_platen', run);
    assert.equal(created.length, words);
  });
});
