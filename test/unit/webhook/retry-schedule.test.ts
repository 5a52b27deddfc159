import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { maxAttempts, pauseAfter } from '../../../main/webhook/retry-schedule.ts';

const hourMs = 3_600_000;
const attempts = Array.from({ length: maxAttempts }, (_, index) => index + 1);

describe('The retry schedule', () => {
  test('has ten attempts within about a day, with growing pauses', () => {
    const pauses = attempts.map((number) => pauseAfter({ attempts: number }, 0.5));
    assert.equal(pauses.pop(), undefined);
    assert.equal(pauses.length, 9);
    assert.equal(pauses[0], 5000);
    for (const [index, pause] of pauses.slice(1).entries()) assert.ok(Number(pause) > Number(pauses[index]));
    const sumMs = pauses.reduce<number>((sum, pause) => sum + Number(pause), 0);
    assert.ok(sumMs > 23 * hourMs && sumMs < 24 * hourMs, String(sumMs / hourMs));
  });

  test('differs by at most a tenth between callbacks', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...attempts.slice(0, -1)),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (number, random) => {
          const middle = pauseAfter({ attempts: number }, 0.5) ?? 0;
          const pause = pauseAfter({ attempts: number }, random) ?? 0;
          assert.ok(Math.abs(pause - middle) <= middle / 10 + 1);
        },
      ),
    );
  });

  test('waits as long as the receiver asks for, but not longer than an hour and never less than planned', () => {
    const pause = (retryAfterMs: number, number = 1) => pauseAfter({ attempts: number, retryAfterMs }, 0.5);
    assert.equal(pause(120_000), 120_000);
    assert.equal(pause(1000), 5000);
    assert.equal(pause(40 * hourMs), hourMs);
    assert.equal(pause(40 * hourMs, 9), 7 * hourMs);
    assert.equal(pause(1000, 10), undefined);
  });
});
