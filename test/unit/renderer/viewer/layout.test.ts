import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  layoutOf,
  margin,
  currentPageOf,
  pagesBetween,
  positionAt,
  scrollFor,
  startOf,
  type SheetSize,
} from '../../../../renderer/viewer/layout.ts';

const a4: SheetSize = { width: 794, height: 1123 };
const room: SheetSize = { width: 900, height: 700 };
const thousand = Array<SheetSize>(1000).fill(a4);

test('sheets are stacked without touching, as wide as the widest sheet', () => {
  const { boxes, width, height } = layoutOf([a4, { width: 1123, height: 794 }, a4], 1);
  assert.deepEqual(
    boxes.map(({ top }) => top),
    [margin, 1123 + 2 * margin, 1123 + 794 + 3 * margin],
  );
  assert.equal(width, 1123 + 2 * margin);
  assert.equal(height, 2 * 1123 + 794 + 4 * margin);
});

test('a sheet ends on a whole device pixel, because it would be blurred otherwise', () => {
  const [box] = layoutOf([a4], 0.777, 1.5).boxes;
  assert.equal(((box?.width ?? 0) * 1.5) % 1, 0);
  assert.equal(((box?.height ?? 0) * 1.5) % 1, 0);
});

test('the layout finds only the visible pages of a thousand', () => {
  const layout = layoutOf(thousand, 1);
  const top = layout.boxes[776]?.top ?? 0;
  assert.deepEqual(pagesBetween(layout, top, top + 700), [776, 776]);
  assert.deepEqual(pagesBetween(layout, top - 100, top + 700), [775, 776]);
  assert.deepEqual(pagesBetween(layout, 0, layout.height), [0, 999]);
});

test('a document without sheets has no visible pages', () => {
  const [first, last] = pagesBetween(layoutOf([], 1), 0, 700);
  assert.ok(last < first);
});

test('the current page is the page with the largest visible part', () => {
  const layout = layoutOf([a4, a4, a4], 1);
  const second = layout.boxes[1]?.top ?? 0;
  assert.equal(currentPageOf(layout, 0, 700), 0);
  assert.equal(currentPageOf(layout, second - 200, 700), 1);
  assert.equal(currentPageOf(layout, second - 500, 700), 0);
  assert.equal(currentPageOf(layout, layout.height - 700, 700), 2);
});

test('zooming keeps the position at the top of the viewport', () => {
  const before = layoutOf(thousand, 1);
  const after = layoutOf(thousand, 2.5);
  const place = { ...positionAt(before, 300_000), x: 0.5 };
  const { top } = scrollFor(after, place, room);
  const again = positionAt(after, top);
  assert.equal(again.page, place.page);
  assert.ok(Math.abs(again.y - place.y) < 1e-9);
});

test('zooming keeps the position under the pointer', () => {
  const before = layoutOf([a4], 1);
  const after = layoutOf([a4], 3);
  const at = { x: 200, y: 400 };
  const start = (Math.max(before.width, room.width) - 794) / 2;
  const place = { ...positionAt(before, 100 + at.y), x: (at.x - start) / 794, at };
  const { top, left } = scrollFor(after, place, room);
  const box = after.boxes[0] ?? { top: 0, width: 0, height: 0 };
  assert.equal(Math.round(box.top + place.y * box.height - top), at.y);
  assert.equal(Math.round((after.width - box.width) / 2 + place.x * box.width - left), at.x);
});

test('a position beyond the end of a shortened document moves to its last sheet', () => {
  const layout = layoutOf([a4, a4], 1);
  const { top } = scrollFor(layout, { page: 40, y: 0.25, x: 0.5 }, room);
  assert.deepEqual(positionAt(layout, top), { page: 1, y: 0.25 });
});

test('going to a page shows part of the margin above it', () => {
  const layout = layoutOf(thousand, 1);
  const { top } = scrollFor(layout, startOf(499), room);
  assert.equal(top, (layout.boxes[499]?.top ?? 0) - margin / 2);
});
