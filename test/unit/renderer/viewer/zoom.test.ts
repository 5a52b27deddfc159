import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nextStep, pageSteps, pictureSteps, scaleOf, wheelStep } from '../../../../renderer/viewer/zoom.ts';

const sizes = [
  { width: 794, height: 1123 },
  { width: 1123, height: 794 },
];
const room = { width: 1155, height: 600 };

test('fitting the width is for the widest page, fitting the page for the tallest as well', () => {
  assert.equal(scaleOf('width', { sizes, room, steps: pageSteps }), 1);
  assert.equal(scaleOf('page', { sizes, room, steps: pageSteps }), (600 - 32) / 1123);
});

test('a small picture is not made larger to fit, a small page is', () => {
  const small = [{ width: 100, height: 100 }];
  assert.equal(scaleOf('width', { sizes: small, room, steps: pictureSteps }), 1);
  assert.equal(scaleOf('width', { sizes: small, room, steps: pageSteps }), 4);
});

test('a window that is narrower than its margins still shows something', () => {
  assert.ok(scaleOf('width', { sizes, room: { width: 10, height: 10 }, steps: pageSteps }) > 0);
});

test('a factor is what it is, whatever the window', () => {
  assert.equal(scaleOf(1.75, { sizes, room, steps: pageSteps }), 1.75);
});

test('zooming goes to the next step from wherever it is, and stays at the last', () => {
  assert.equal(nextStep(0.63, 1, pageSteps), 0.75);
  assert.equal(nextStep(0.63, -1, pageSteps), 0.5);
  assert.equal(nextStep(1, 1, pageSteps), 1.25);
  assert.equal(nextStep(4, 1, pageSteps), 4);
  assert.equal(nextStep(0.5, -1, pageSteps), 0.5);
});

test('a factor that is a step but for rounding goes to the one after it', () => {
  assert.equal(nextStep(0.9999, 1, pageSteps), 1.25);
});

test('the wheel zooms within the steps, and does not jump when it begins outside of them', () => {
  assert.ok(wheelStep(1, -100, pageSteps) > 1);
  assert.ok(wheelStep(1, 100, pageSteps) < 1);
  assert.equal(wheelStep(4, -120, pageSteps), 4);
  assert.equal(wheelStep(0.5, 120, pageSteps), 0.5);
  assert.equal(wheelStep(0.3, 120, pageSteps), 0.3);
});
