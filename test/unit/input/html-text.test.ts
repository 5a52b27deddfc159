import { equal } from 'node:assert/strict';
import { test } from 'node:test';
import iconv from 'iconv-lite';
import { htmlText } from '../../../main/input/html-text.ts';

const bytes = (text: string, charset: string) => iconv.encode(text, charset);
const sentence = 'Preis: 5 € – „Größe“ ™ Ÿ';

test('HTML in windows-1252 keeps its euro signs, dashes and quotation marks', () => {
  equal(htmlText(bytes(sentence, 'windows-1252')), sentence);
  equal(
    htmlText(bytes(sentence, 'windows-1252'), { contentType: 'text/html; charset=iso-8859-1' }),
    sentence,
  );
  const declared = `<meta charset="latin1">${sentence}`;
  equal(htmlText(bytes(declared, 'windows-1252')), declared);
});

test('HTML is decoded as its response, its byte order mark or its declaration says', () => {
  equal(htmlText(bytes('Œuvre', 'iso-8859-15'), { contentType: 'text/html; charset=iso-8859-15' }), 'Œuvre');
  equal(htmlText(bytes('<meta charset=shift_jis>日本', 'shift_jis')), '<meta charset=shift_jis>日本');
  equal(htmlText(bytes('\ufeff日本', 'utf-16le')), '日本');
  equal(htmlText(bytes('日本', 'utf-8')), '日本');
  equal(htmlText(bytes(sentence, 'windows-1252'), { contentType: 'text/html; charset=unknown' }), sentence);
});
