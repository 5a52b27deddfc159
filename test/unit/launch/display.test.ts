import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { once } from 'node:events';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { openDisplay } from '../../../main/launch/display.ts';

const originalDisplay = process.env.DISPLAY;
let alive: NodeJS.Timeout;
beforeEach(() => {
  // Keeps this process alive, because a started X server does not.
  alive = setInterval(() => {}, 1000);
  delete process.env.DISPLAY;
});
afterEach(() => {
  clearInterval(alive);
  if (originalDisplay === undefined) delete process.env.DISPLAY;
  else process.env.DISPLAY = originalDisplay;
});

/** Returns the process ids of the Xvfb child processes, including zombies that Node has not waited for yet. */
function servers(): readonly number[] {
  const path = `/proc/${process.pid}/task`;
  const children = readdirSync(path).flatMap((task) =>
    readFileSync(`${path}/${task}/children`, 'utf8').split(' '),
  );
  return children
    .filter((pid) => pid !== '' && readFileSync(`/proc/${pid}/comm`, 'utf8').startsWith('Xvfb'))
    .map(Number);
}

describe('A display', { skip: process.platform !== 'linux' }, () => {
  test('that already exists is used', async () => {
    process.env.DISPLAY = ':77';
    await using display = await openDisplay();
    assert.deepEqual([display.environment, servers().length], [{ PLATEN_DESKTOP: 'on' }, 0]);
  });

  test('is started if there is none, and ends when it is closed', async () => {
    const display = await openDisplay();
    assert.match(display.environment.DISPLAY ?? '', /^:\d+$/);
    assert.equal(display.environment.PLATEN_DESKTOP, '', 'no user sees it');
    assert.equal(servers().length, 1);
    await display[Symbol.asyncDispose]();
    assert.equal(servers().length, 0);
    assert.ok(!display.lost.aborted);
  });

  test('whose server hangs is killed when it is closed, and is not reported as lost', async () => {
    const display = await openDisplay();
    for (const pid of servers()) process.kill(pid, 'SIGSTOP');
    await display[Symbol.asyncDispose]();
    assert.equal(servers().length, 0);
    assert.ok(!display.lost.aborted);
  });

  test('whose server is killed is reported as lost, with the signal', async () => {
    await using display = await openDisplay();
    const lost = once(display.lost, 'abort');
    for (const pid of servers()) process.kill(pid, 'SIGKILL');
    await lost;
    assert.equal(display.lost.reason, 'its display, Xvfb, ended (SIGKILL)');
  });
});
