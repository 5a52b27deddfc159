import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { EventOf } from '../../../../../main/log/events.ts';
import { consecutiveStages, stageSpans } from '../../../../../renderer/explain/timeline/stage-spans.ts';

test('consecutive stages keep the order of their start', () => {
  const placed = stageSpans([stage('load', 100, 100), stage('wait', 150, 49.9), stage('print', 250, 99.9)]);
  assert.deepEqual(placed.map(shown), ['load 0-100', 'wait 100-150', 'print 150-250']);
});

test('steps reported at the end of a stage are placed one after another inside it', () => {
  const placed = stageSpans([
    stage('print', 100, 100),
    stage('finish', 400, 300),
    stage('read', 400.1, 50),
    stage('write', 400.1, 20),
    stage('encrypt', 400.2, 200),
  ]);
  assert.deepEqual(placed.map(shown), [
    'print 0-100',
    'finish 100-400',
    '  read 130-180',
    '  write 180-200',
    '  encrypt 200-400',
  ]);
});

test('a short stage right after a long one is not a step of it', () => {
  const placed = stageSpans([stage('load', 100, 100), stage('styles', 100.4, 0.3)]);
  assert.deepEqual(
    placed.map(({ isStep }) => isStep),
    [false, false],
  );
});

test('a quick stage that ends early in a longer one is not a step of it', () => {
  const placed = stageSpans([stage('prepare', 0.2, 0.1), stage('wait', 0.4, 0.4)]);
  assert.deepEqual(
    placed.map(({ isStep }) => isStep),
    [false, false],
  );
});

test('a step never starts before its stage', () => {
  const placed = stageSpans([stage('finish', 400, 300), stage('read', 401, 200), stage('write', 401, 200)]);
  assert.equal(placed[1]?.from, 100);
});

test('stages with only a duration follow one another', () => {
  assert.deepEqual(consecutiveStages({ load: 40, print: 10 }), [
    { stage: 'load', from: 0, to: 40 },
    { stage: 'print', from: 40, to: 50 },
  ]);
});

function stage(text: string, at: number, took: number): EventOf<'stage'> {
  return { kind: 'stage', text, at, took, detail: {} };
}

function shown({ stage, from, to, isStep }: ReturnType<typeof stageSpans>[number]): string {
  return `${isStep ? '  ' : ''}${stage.text} ${Math.round(from)}-${Math.round(to)}`;
}
