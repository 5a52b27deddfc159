import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JobList, JobView } from '../../../../main/console/contract.ts';
import { laidOut } from '../../../../renderer/jobs/laid-out-stages.ts';
import { mergedJobs } from '../../../../renderer/jobs/merged-jobs.ts';

test('new jobs come before those that are there, and older pages stay', () => {
  const merged = mergedJobs(list('dcba', 'a'), list('fedc', 'c'));
  assert.equal(ids(merged), 'fedcba');
  assert.equal(merged.next, 'a');
});

test('a job that has ended meanwhile is shown as it ended', () => {
  const fresh = list('ba', 'a');
  const ended = { ...fresh, jobs: fresh.jobs.map((job) => ({ ...job, outcome: 'converted' as const })) };
  const merged = mergedJobs(list('ba', 'a'), ended);
  assert.deepEqual(
    merged.jobs.map(({ outcome }) => outcome),
    ['converted', 'converted'],
  );
});

test('when so many have come that some may be missing, only the newest are shown', () => {
  assert.equal(ids(mergedJobs(list('cba', null), list('zyx', 'x'))), 'zyx');
});

test('a record that was cleaned up shows what is left of it', () => {
  const merged = mergedJobs(list('dcba', 'a'), list('dc', null));
  assert.equal(ids(merged), 'dc');
  assert.equal(merged.next, null);
});

test('stages of which only the lengths are known follow one another', () => {
  assert.deepEqual(laidOut({ load: 40, print: 10 }), [
    { stage: 'load', from: 0, to: 40 },
    { stage: 'print', from: 40, to: 50 },
  ]);
});

function list(letters: string, next: string | null): JobList {
  return { jobs: Array.from(letters, (id) => ({ id, outcome: null }) as JobView), next };
}

function ids({ jobs }: JobList): string {
  return jobs.map(({ id }) => id).join('');
}
