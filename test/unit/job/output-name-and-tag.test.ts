import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { fileName, tag } from '../../../main/job/option-kinds.ts';

describe('a file name', () => {
  test('stays unchanged, with any extension', () => {
    for (const name of ['invoice.pdf', 'invoice', 'Rechnung 42 €.PDF', 'a.b.c', '.profile', 'naïve "x".txt'])
      assert.equal(fileName.read(name), name);
  });

  test('has slashes replaced with underscores, and is refused if it contains only dots', () => {
    assert.equal(fileName.read('../../etc/passwd'), '.._.._etc_passwd');
    assert.equal(fileName.read('C:\\Windows\\win.ini'), 'C:_Windows_win.ini');
    for (const dots of ['.', '..', ' .. ']) assert.equal(fileName.read(dots), undefined);
  });

  test('has line ends, bidi controls and other control characters replaced with underscores', () => {
    assert.equal(fileName.read('a\r\nSet-Cookie: x'), 'a__Set-Cookie: x');
    assert.equal(fileName.read('report\u202Efdp.exe'), 'report_fdp.exe');
    assert.equal(fileName.read('a\u0000b\u2028c\u007F'), 'a_b_c_');
  });

  test('is cut to 180 characters before its extension, at a character boundary', () => {
    assert.equal(fileName.read(`${'n'.repeat(200)}.pdf`), `${'n'.repeat(176)}.pdf`);
    assert.equal(fileName.read(`${'😀'.repeat(200)}.pdf`), `${'😀'.repeat(176)}.pdf`);
    assert.equal(fileName.read('n'.repeat(181)), 'n'.repeat(180));
    assert.equal(fileName.read(`n.${'x'.repeat(200)}`), `n.${'x'.repeat(178)}`);
  });

  test('has at most 180 characters, without slashes or control characters, for any input', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (text) => {
        const name = fileName.read(text);
        if (name === undefined) return /^\.*$/.test(text.trim());
        return Array.from(name).length <= 180 && !/[/\\\p{Cc}\p{Cs}]/u.test(name);
      }),
    );
  });
});

describe('a tag', () => {
  test('is cut to 32 characters on one line', () => {
    assert.equal(tag.read(' invoices '), 'invoices');
    assert.equal(tag.read('😀'.repeat(40)), '😀'.repeat(32));
    assert.equal(tag.read('one\ntwo'), 'one two');
    assert.equal(tag.read(' \n '), undefined);
  });
});
