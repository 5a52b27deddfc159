import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  nextStep,
  pageSteps,
  imageSteps,
  scaleOf,
  wheelStep,
} from '../../../../../renderer/viewer/zoom/zoom.ts';

const sizes = [
  { width: 794, height: 1123 },
  { width: 1123, height: 794 },
];
const room = { width: 1155, height: 600 };

test('fit-width fits the widest page, and fit-page also fits the tallest page', () => {
  assert.equal(scaleOf('width', { sizes, viewport: room, steps: pageSteps }), 1);
  assert.equal(scaleOf('page', { sizes, viewport: room, steps: pageSteps }), (600 - 32) / 1123);
});

test('fitting enlarges a small page but not a small image', () => {
  const small = [{ width: 100, height: 100 }];
  assert.equal(scaleOf('width', { sizes: small, viewport: room, steps: imageSteps }), 1);
  assert.equal(scaleOf('width', { sizes: small, viewport: room, steps: pageSteps }), 4);
});

test('a viewport narrower than the margins of the pages still shows the pages', () => {
  assert.ok(scaleOf('width', { sizes, viewport: { width: 10, height: 10 }, steps: pageSteps }) > 0);
});

test('a fixed zoom factor ignores the size of the viewport', () => {
  assert.equal(scaleOf(1.75, { sizes, viewport: room, steps: pageSteps }), 1.75);
});

test('zooming moves to the next step and stops at the last one', () => {
  assert.equal(nextStep(0.63, 1, pageSteps), 0.75);
  assert.equal(nextStep(0.63, -1, pageSteps), 0.5);
  assert.equal(nextStep(1, 1, pageSteps), 1.25);
  assert.equal(nextStep(4, 1, pageSteps), 4);
  assert.equal(nextStep(0.5, -1, pageSteps), 0.5);
});

test('a factor that equals a step except for rounding zooms to the step after it', () => {
  assert.equal(nextStep(0.9999, 1, pageSteps), 1.25);
});

test('the wheel zooms within the steps, and does not jump from a factor outside them', () => {
  assert.ok(wheelStep(1, -100, pageSteps) > 1);
  assert.ok(wheelStep(1, 100, pageSteps) < 1);
  assert.equal(wheelStep(4, -120, pageSteps), 4);
  assert.equal(wheelStep(0.5, 120, pageSteps), 0.5);
  assert.equal(wheelStep(0.3, 120, pageSteps), 0.3);
});
