import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { readExposition } from '../../support/service/exposition.ts';
import { letterJob, openTestMetrics, operator } from './sources.ts';

/** Label values that try to inject other samples. */
const names = ['anna', 'bert', 'anna"} 5\n#', 'an\\"na', 'anna\n', '{account="anna"}', 'ännä', '__proto__'];

function metricsOfAll() {
  const metrics = openTestMetrics({
    balances: () => Promise.resolve(names.map((account, remaining) => ({ account, remaining }))),
  });
  for (const account of names) metrics.jobEnded({ ...letterJob, account });
  return metrics;
}

describe('access to metrics', () => {
  test('an operator sees the series of every account, whatever characters its name contains', async () => {
    const { samples } = readExposition(await metricsOfAll().text(operator));
    for (const metric of ['platen_jobs_total', 'platen_credits_spent_total', 'platen_credits_remaining']) {
      const accounts = samples.filter(({ name }) => name === metric).map(({ labels }) => labels.account);
      assert.deepEqual(accounts, names, metric);
    }
  });

  test('an account sees only its own series, whatever characters its name contains', async () => {
    const metrics = metricsOfAll();
    for (const name of names) {
      const { samples } = readExposition(await metrics.text({ name, operator: false }));
      const accounts = samples.flatMap(({ labels }) => labels.account ?? []);
      assert.deepEqual(accounts, [name, name, name]);
    }
  });

  test('every account sees all series that belong to no account', async () => {
    const metrics = metricsOfAll();
    const lines = async (viewer: { name: string; operator: boolean }) =>
      (await metrics.text(viewer))
        .split('\n')
        .filter((line) => line.startsWith('platen_') && !line.includes('account='));
    const visibleLines = await lines({ name: 'nobody', operator: false });
    assert.ok(visibleLines.length > 50);
    assert.deepEqual(visibleLines, await lines(operator));
  });
});
