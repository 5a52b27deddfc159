import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  paperFromPageRules,
  basePage,
  type PageRule,
  type PageRules,
} from '../../../main/job/page-rule-paper.ts';
import type { OptionName } from '../../../main/job/options.ts';
import { optionsOf } from './forms.ts';

const rule = (more: Partial<PageRule>): PageRule => ({ selector: '', margins: {}, important: [], ...more });
const rulesOf = (...rules: PageRule[]): PageRules => ({
  rules,
  firstPage: '',
  unreadable: 0,
  vertical: false,
  rightToLeft: false,
});
const defaultPaper = { paper: { width: 5, height: 7 }, margins: { top: 1, right: 1, bottom: 1, left: 1 } };
const pixels = (length: number) => ({ pixels: length, percent: 0 });
const tenPercent = { pixels: 0, percent: 10 };
const five = rule({ size: [480, 480] });
const six = rule({ size: [576, 576] });

function widthOf(...rules: PageRule[]): number {
  return basePage(rulesOf(...rules), defaultPaper).paper.width;
}

describe('the paper of @page rules', () => {
  test('is that of the winning rule: by !important, then cascade layer, then source order', () => {
    assert.equal(widthOf(five, six), 6);
    assert.equal(widthOf({ ...five, important: ['size'] }, six), 5);
    assert.equal(widthOf(five, { ...six, layer: 0 }), 5);
    assert.equal(widthOf({ ...five, layer: 1 }, { ...six, layer: 0 }), 5);
    assert.equal(
      widthOf({ ...five, layer: 1, important: ['size'] }, { ...six, layer: 0, important: ['size'] }),
      6,
    );
    assert.equal(widthOf({ ...five, selector: ':first' }, six), 6);
  });

  test('is the default paper, rotated, if a rule has only an orientation', () => {
    assert.equal(widthOf(rule({ size: ['landscape'] })), 7);
    assert.equal(widthOf(rule({ size: ['portrait'] })), 5);
    assert.equal(widthOf(rule({ size: ['auto'] })), 5);
    assert.equal(widthOf(rule({ size: ['landscape', 'letter'] })), 11);
  });

  test('is ignored together with its margins if they leave no space; percentages refer to the paper', () => {
    const wide = rule({ size: [480], margins: { left: pixels(300), right: pixels(300) } });
    assert.deepEqual(basePage(rulesOf(wide), defaultPaper), { ...defaultPaper, setsSize: false });
    const percent = rule({ size: [480, 960], margins: { left: tenPercent, top: tenPercent } });
    assert.deepEqual(basePage(rulesOf(percent), defaultPaper).margins, {
      top: 1,
      right: 1,
      bottom: 1,
      left: 0.5,
    });
  });
});

describe('the layout on the paper of @page rules', () => {
  const paperOf = (fields: Record<string, string>) =>
    paperFromPageRules(optionsOf(fields), new Set(Object.keys(fields) as OptionName[]), rulesOf(six));

  test('has the scale 1 and the width of the print area; scale_factor multiplies the scale', () => {
    assert.equal(paperOf({})?.scale, 1);
    assert.equal(paperOf({ scale_factor: '200' })?.scale, 2);
    assert.ok(Math.abs(Number(paperOf({})?.options.content_viewport_width) - (6 - 0.8) * 96) < 1e-6);
  });

  test('keeps the scale of the requested paper with css_page_rule_mode=mode2', () => {
    const found = paperOf({
      css_page_rule_mode: 'mode2',
      page_width: '5in',
      no_margins: 'true',
      content_viewport_width: '960',
    });
    assert.equal(found?.scale, 0.5);
    assert.equal(found.options.content_viewport_width, 1152);
  });

  test('is not used when the request sets the paper, a margin or css_page_rule_mode=mode1', () => {
    for (const fields of [{ page_size: 'A4' }, { margin_left: '1in' }, { css_page_rule_mode: 'mode1' }])
      assert.equal(paperOf(fields as unknown as Record<string, string>), undefined);
  });
});

describe('the boxes of pages with a footer', () => {
  const boxesFor = (fields: Record<string, string>, ...rules: PageRule[]) => {
    const given = { footer_html: 'x', footer_height: '1in', ...fields };
    const names = new Set(Object.keys(given) as OptionName[]);
    return paperFromPageRules(optionsOf(given), names, rulesOf(...rules))?.boxes ?? [];
  };
  const cover = rule({ selector: 'cover', margins: { top: pixels(0) } });

  test('are printed with widths that differ by a step, unless they are equal or differ in width', () => {
    const wide = rule({ selector: 'wide', size: [960, 480] });
    const boxes = boxesFor({}, six, cover, { ...cover, selector: 'cover2' }, wide);
    const widths = boxes
      .filter(({ position }) => position === ':left')
      .map(({ selector, printedWidth }) => [selector, Math.round(printedWidth * 72)]);
    assert.deepEqual(widths, [
      [':left', 432],
      ['cover:left', 434],
      ['cover2:left', 434],
      ['wide:left', 720],
    ]);
  });

  test('have no footer if it leaves no room, and with css_page_rule_mode=mode2 it takes none from the content', () => {
    const low = rule({ selector: 'low', size: [480, 96] });
    const footers = (mode: Record<string, string>) =>
      boxesFor(mode, rule({ size: [480, 480], margins: { top: pixels(0), bottom: pixels(0) } }), low)
        .filter(({ position }) => position === ':first')
        .map(({ selector, footer }) => [selector, footer]);
    assert.deepEqual(footers({}), [
      [':first', 1],
      ['low:first', 0],
    ]);
    assert.deepEqual(footers({ css_page_rule_mode: 'mode2' }), [
      [':first', 0],
      ['low:first', 0],
    ]);
  });

  test('are those of up to 500 names and rules', () => {
    const rules = Array.from({ length: 500 }, (_, index) =>
      rule({ selector: `n${index}:left`, size: [480, 480 + index], layer: index }),
    );
    const boxes = boxesFor({}, ...rules);
    assert.equal(boxes.length, 3 * 501);
    const left = boxes.filter(({ position }) => position === ':left');
    assert.equal(new Set(left.map(({ printedWidth }) => printedWidth)).size, 501);
  });
});
