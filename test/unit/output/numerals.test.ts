import assert from 'node:assert/strict';
import { test } from 'node:test';
import { numberFormats, formatNumber } from '../../../main/output/numerals.ts';

test('Roman numerals are written correctly', () => {
  const expected: Readonly<Record<number, string>> = {
    1: 'I',
    4: 'IV',
    9: 'IX',
    14: 'XIV',
    40: 'XL',
    90: 'XC',
    400: 'CD',
    1994: 'MCMXCIV',
    2026: 'MMXXVI',
    3999: 'MMMCMXCIX',
  };
  for (const [number, text] of Object.entries(expected)) {
    assert.equal(formatNumber(Number(number), 'roman'), text);
    assert.equal(formatNumber(Number(number), 'lower-roman'), text.toLowerCase());
  }
});

test('numbers that a format cannot express are written in decimal digits', () => {
  for (const number of [0, -3, 4000]) assert.equal(formatNumber(number, 'roman'), String(number));
  assert.equal(formatNumber(-3, 'east-asia'), '-3');
});

test('number formats of other writing systems replace decimal digits', () => {
  assert.equal(formatNumber(1234567890, 'eastern-arabic'), '١٢٣٤٥٦٧٨٩٠');
  assert.equal(formatNumber(1234567890, 'bengali'), '১২৩৪৫৬৭৮৯০');
  assert.equal(formatNumber(1234567890, 'devanagari'), '१२३४५६७८९०');
  assert.equal(formatNumber(1234567890, 'thai'), '๑๒๓๔๕๖๗๘๙๐');
});

test('Chinese numerals contain units, and a zero for skipped units', () => {
  const informal: Readonly<Record<number, string>> = {
    0: '零',
    1: '一',
    10: '十',
    11: '十一',
    20: '二十',
    110: '一百一十',
    101: '一百零一',
    1001: '一千零一',
    1010: '一千零一十',
    10000: '一万',
    10001: '一万零一',
    12345: '一万二千三百四十五',
  };
  for (const [number, text] of Object.entries(informal))
    assert.equal(formatNumber(Number(number), 'east-asia'), text);
  assert.equal(formatNumber(12, 'chinese-formal'), '壹拾貳');
  assert.equal(formatNumber(305, 'chinese-formal'), '參佰零伍');
});

test('every number format writes each page number from 1 to 1200', () => {
  for (const format of numberFormats)
    for (let page = 1; page <= 1200; page += 1) assert.ok(formatNumber(page, format).length > 0);
});
