import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JobListView, JobView } from '../../../../main/console/contract.ts';
import { mergedJobs } from '../../../../renderer/jobs/job-list.ts';

test('new jobs appear above the listed jobs, and older pages stay', () => {
  const merged = mergedJobs(list('dcba', 'a'), list('fedc', 'c'));
  assert.equal(ids(merged), 'fedcba');
  assert.equal(merged.next, 'a');
});

test('a listed job that has ended shows its outcome', () => {
  const fresh = list('ba', 'a');
  const ended = { ...fresh, jobs: fresh.jobs.map((job) => ({ ...job, outcome: 'converted' as const })) };
  const merged = mergedJobs(list('ba', 'a'), ended);
  assert.deepEqual(
    merged.jobs.map(({ outcome }) => outcome),
    ['converted', 'converted'],
  );
});

test('only the newest jobs are shown when jobs between the pages may be missing', () => {
  assert.equal(ids(mergedJobs(list('cba', null), list('zyx', 'x'))), 'zyx');
});

test('the list drops jobs that the service has deleted', () => {
  const merged = mergedJobs(list('dcba', 'a'), list('dc', null));
  assert.equal(ids(merged), 'dc');
  assert.equal(merged.next, null);
});

function list(letters: string, next: string | null): JobListView {
  return { jobs: Array.from(letters, (id) => ({ id, outcome: null }) as JobView), next };
}

function ids({ jobs }: JobListView): string {
  return jobs.map(({ id }) => id).join('');
}
