import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { growthProblems, type MemorySample } from './memory.ts';

const memory = (megabytes: number) => ({ shared: megabytes * 1e6, resident: megabytes * 1e6 });

/** Samples after every hundred jobs, with the given megabytes for the heap and the renderers. */
function samplesOf(
  hundreds: number,
  megabytesAfter: (jobs: number) => { heap?: number; renderers?: number },
): MemorySample[] {
  return Array.from({ length: hundreds }, (_, index) => {
    const jobs = (index + 1) * 100;
    const { heap = 24, renderers = 60 } = megabytesAfter(jobs);
    const kinds = { service: memory(140 + heap), renderer: memory(renderers) };
    return { jobs, kinds, total: memory(140 + heap + renderers), heap: heap * 1e6, external: 4e6 };
  });
}

describe('A short run', () => {
  test('detects a leak of 1.2 MB per job, and names the heap or the kind of process that leaks', () => {
    const inService = samplesOf(2, (jobs) => ({ heap: 24 + 1.2 * jobs }));
    assert.deepEqual(growthProblems(inService), [
      "the memory of the service's heap has grown from 144 to 264 MB in a short run",
    ]);
    const inPages = samplesOf(2, (jobs) => ({ renderers: 60 + 1.2 * jobs }));
    assert.deepEqual(growthProblems(inPages), [
      'the memory of the renderer processes has grown from 180 to 300 MB in a short run',
    ]);
  });

  test('reports no leak if a window is opened or the heap is larger before garbage collection', () => {
    const opened = samplesOf(2, (jobs) => ({ heap: jobs === 200 ? 60 : 24, renderers: 60 + jobs * 0.3 }));
    assert.deepEqual(growthProblems(opened), []);
  });
});

test('a long run detects a leak of 30 kB per job, and reports none at constant memory', () => {
  assert.deepEqual(growthProblems(samplesOf(30, (jobs) => ({ heap: 24 + 0.03 * jobs }))), [
    'the memory has grown by 11.0 %: from 272 to 302 MB',
  ]);
  assert.deepEqual(growthProblems(samplesOf(30, () => ({}))), []);
});
