/** The targets, and the figures in docs/performance.md. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { figures, withFigures } from './performance-page.ts';
import type { BenchmarkResults } from './results.ts';
import type { MeasuredLap } from './rounds.ts';
import { standingsOf } from './standings.ts';
import { verdicts } from './targets.ts';

/** A lap of a candidate with ten jobs, each of which takes `each` milliseconds. */
function lap(candidate: string, document: string, [callers, each]: readonly [number, number]): MeasuredLap {
  const times = Array.from({ length: 10 }, () => each);
  return { candidate, document, callers, round: 0, times, took: (each * 10) / callers, cpu: each * 10 };
}

function resultsOf(
  laps: readonly MeasuredLap[],
  overrides: Partial<BenchmarkResults> = {},
): BenchmarkResults {
  const machine = { cores: 2, processor: 'Example 9000', memory: 2 ** 33, system: 'Debian' };
  const run = { workers: 2, rounds: 1, lap: 1000, electron: '33.2.1', leftOut: ['peer is left out.'] };
  const begun = '2026-11-22T01:00:00.000Z';
  return {
    machine,
    startedAt: begun,
    run,
    standings: standingsOf(laps),
    profiles: [],
    failures: [],
    ...overrides,
  };
}

function verdictOn(results: BenchmarkResults, what: string) {
  return verdicts([results]).find((verdict) => verdict.what.startsWith(what));
}

test('the target for a letter is reached at 2.4 times the throughput of the loop, and missed at slightly less', () => {
  const loop = lap('loop', 'letter', [8, 24]);
  const quick = lap('platen', 'letter', [8, 10]);
  const slow = lap('platen', 'letter', [8, 10.1]);
  assert.equal(
    verdictOn(resultsOf([loop, quick]), 'letter: jobs/s at 8 callers against the loop')?.reached,
    true,
  );
  assert.equal(
    verdictOn(resultsOf([loop, slow]), 'letter: jobs/s at 8 callers against the loop')?.reached,
    false,
  );
});

test('unmeasured targets are neither reached nor missed', () => {
  const nothing = verdictOn(resultsOf([lap('platen', 'letter', [8, 10])]), 'memory');
  assert.equal(nothing?.figure, undefined);
  assert.equal(nothing?.reached, undefined);
});

test('a document that Platen writes into an open page is compared with the loop that also writes; any other document with the loop that navigates', () => {
  const laps = [
    lap('platen', 'letter', [1, 9]),
    lap('loop', 'letter', [1, 20]),
    lap('written', 'letter', [1, 4]),
  ];
  const added = (...names: readonly string[]) => {
    const stages = names.map((name) => ({ name, took: 2 }));
    const profiles = [{ document: 'letter', jobs: 1, waited: 9, inService: 8, stages }];
    return verdictOn(resultsOf(laps, { profiles }), 'letter: added')?.figure;
  };
  assert.equal(added('write the document'), 5);
  assert.equal(added('load the page'), -11);
  assert.equal(added('write the document', 'load the page'), -11);
});

test('the time of two simultaneous jobs of 1,000 pages is compared with the time of one such job', () => {
  const laps = [
    lap('platen', 'thousand', [1, 1000]),
    { ...lap('platen', 'thousand', [2, 1200]), took: 14_000 },
  ];
  assert.equal(verdictOn(resultsOf(laps), 'two jobs')?.figure, 1.4);
  assert.equal(verdictOn(resultsOf(laps), 'two jobs')?.reached, false);
});

test('the figures list the machine, missed targets, throughput, and the time outside the logged stages', () => {
  const laps = [lap('platen', 'letter', [8, 30]), lap('loop', 'letter', [8, 20])];
  const stages = [
    { name: 'load the page', took: 6 },
    { name: 'print', took: 4 },
  ];
  const profiles = [{ document: 'letter', jobs: 1, waited: 15, inService: 12, stages }];
  const made = figures([resultsOf(laps, { profiles })], new Map([['letter', 'a letter']]));
  assert.match(made, /2 cores \(Example 9000\), 8 GiB of memory, Debian;\nElectron 33\.2\.1, 2 windows/);
  assert.match(
    made,
    /\| letter: jobs\/s at 8 callers against the loop \| at least 2\.4 \| 0\.67 \| \*\*no\*\* \|/,
  );
  assert.match(made, /\| a letter \| \*\*267\*\*/);
  assert.match(
    made,
    /\| other work: form, job record, credits \| 2\.0 \|\n\| HTTP request and response \| 3\.0 \|/,
  );
});

test('of two runs, the first that measured a target counts; each has its own throughput table', () => {
  const alone = resultsOf([lap('platen', 'letter', [8, 10]), lap('loop', 'letter', [8, 24])]);
  const withPeers = resultsOf([
    lap('platen', 'letter', [8, 20]),
    lap('loop', 'letter', [8, 24]),
    lap('peer', 'letter', [8, 200]),
  ]);
  const made = figures([alone, withPeers], new Map());
  assert.match(made, /\| letter: jobs\/s at 8 callers against the loop \| at least 2\.4 \| 2\.40 \| yes \|/);
  assert.match(made, /\| letter: jobs\/s at 8 callers against the peer \| at least 9 \| 10\.0 \| yes \|/);
  assert.match(made, /## At 8 callers: platen, loop\n[\s\S]*\n## At 8 callers: platen, loop, peer\n/);
});

test('new figures replace the text between the markers and keep the rest of the page; a page without markers is an error', () => {
  const page =
    '# P\n\n<!-- figures: made by `npm run bench -- --write-docs` -->\nold\n<!-- end of the figures -->\nby hand\n';
  const made = withFigures(page, 'new');
  assert.match(made, /^# P/);
  assert.match(made, /new\n\n<!-- end of the figures -->\nby hand\n$/);
  assert.doesNotMatch(made, /old/);
  assert.throws(() => withFigures('# P\n', 'new'), /must contain/);
});
