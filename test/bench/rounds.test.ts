/** Rounds in which a candidate fails. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import sharp from 'sharp';
import type { Candidate } from './candidates/candidate.ts';
import type { BenchDocument } from './documents/document.ts';
import { openFailures } from './failures.ts';
import { runRounds } from './rounds.ts';

const image = await sharp({ create: { width: 2, height: 1, channels: 3, background: 'red' } })
  .png()
  .toBuffer();
const square: BenchDocument = {
  name: 'square',
  title: 'a square',
  html: '',
  scripts: false,
  long: false,
  expected: { kind: 'image', width: 2, height: 1, whole: true },
};

/** `fails`: the numbers of the laps that fail, starting at 1; lap 1 is the warm-up. */
function candidate(name: string, ...fails: readonly number[]): Candidate {
  let laps = 0;
  return {
    name,
    engine: 'Chromium',
    pid: process.pid,
    supports: () => true,
    convert: () => Promise.resolve(image),
    run() {
      laps += 1;
      if (fails.includes(laps)) return Promise.reject(new Error('hung up'));
      return Promise.resolve({ times: [1], took: 1 });
    },
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}

async function race(...candidates: readonly Candidate[]) {
  const failures = openFailures(() => {});
  const documents = [square, { ...square, name: 'another', title: 'another' }];
  const raceOptions = { callers: [1, 8], rounds: 2, lap: 1, print: () => {} };
  const laps = await runRounds({ candidates, documents, ...raceOptions, failures });
  return { laps: laps.map((lap) => `${lap.candidate} ${lap.document} ${lap.callers}`), failures };
}

const inAll = (name: string) =>
  ['square 1', 'square 1', 'square 8', 'square 8', 'another 1', 'another 1', 'another 8', 'another 8'].map(
    (which) => `${name} ${which}`,
  );

test('a failed lap is reported and repeated', async () => {
  const { laps, failures } = await race(candidate('steady'), candidate('stumbling', 3));
  assert.deepEqual(laps.toSorted(), [...inAll('steady'), ...inAll('stumbling')].toSorted());
  assert.deepEqual(failures.sentences, ['stumbling, a square, callers: 1 failed: hung up']);
});

test('a candidate that fails a lap twice gets no figures for that document and number of callers; other candidates do', async () => {
  const { laps, failures } = await race(candidate('steady'), candidate('fallen', 3, 4));
  const without = inAll('fallen').filter((lap) => !lap.endsWith('square 1'));
  assert.deepEqual(laps.toSorted(), [...inAll('steady'), ...without].toSorted());
  assert.equal(failures.sentences.length, 2);
});

test('a candidate whose output is wrong gets no figures for that document, and the reason is reported', async () => {
  const wrong = { ...candidate('wrong'), convert: () => sharp(image).resize(5, 5).png().toBuffer() };
  const { laps, failures } = await race(candidate('steady'), wrong);
  assert.deepEqual(laps.toSorted(), inAll('steady').toSorted());
  assert.match(failures.sentences[0] ?? '', /^wrong, a square failed: wrong made 5 x 5 pixels/);
});
