import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { contentAreaFor, layoutFor } from '../../../main/job/layout.ts';
import { readJob } from '../../../main/job/read-job.ts';
import { formOf, limits, optionsOf } from './forms.ts';

function layoutOf(fields: Readonly<Record<string, string>>) {
  const { options, givenOptions } = readJob(formOf({ text: '<p>', ...fields }), limits);
  return layoutFor(options, givenOptions);
}

describe('a PDF', () => {
  test('has a layout as wide as content_viewport_width, on any paper', () => {
    for (const page_size of ['A6', 'A4', 'A0']) assert.equal(layoutOf({ page_size }).width, 1024);
    assert.equal(layoutOf({ content_viewport_width: '800px' }).width, 800);
  });

  test('with content_viewport_width=balanced has a layout at least as wide as its print area', () => {
    const { width, minWidth } = layoutOf({ content_viewport_width: 'balanced', page_size: 'Letter' });
    assert.deepEqual([width, minWidth], ['balanced', Math.round((8.5 - 0.8) * 96)]);
  });

  test('has a viewport with the aspect ratio of its print area', () => {
    const fields = {
      page_width: '4in',
      page_height: '3in',
      margin_top: '0.5in',
      margin_bottom: '0.5in',
      margin_left: '0',
      margin_right: '0',
    };
    assert.equal(layoutOf(fields).aspect, 0.5);
    const { width, height } = contentAreaFor(optionsOf(fields));
    assert.deepEqual([width, height], [4, 2]);
  });
});

describe('an image', () => {
  test('has a layout as wide as screenshot_width if content_viewport_width is not given', () => {
    assert.equal(layoutOf({ output_format: 'png' }).width, 1024);
    assert.equal(layoutOf({ output_format: 'png', screenshot_width: '300' }).width, 300);
  });

  test('has a layout as wide as content_viewport_width if that is given, even with its default value', () => {
    assert.equal(
      layoutOf({ output_format: 'png', screenshot_width: '300', content_viewport_width: 'medium' }).width,
      1024,
    );
  });

  test('with content_viewport_width=balanced has a layout at least as wide as screenshot_width', () => {
    const { width, minWidth } = layoutOf({
      output_format: 'jpg',
      screenshot_width: '300',
      content_viewport_width: 'balanced',
    });
    assert.deepEqual([width, minWidth], ['balanced', 300]);
  });
});
