import assert from 'node:assert/strict';
import { gzipSync } from 'node:zlib';
import { describe, test } from 'node:test';
import { PDFDocument } from '@cantoo/pdf-lib';
import sharp from 'sharp';
import { Failure } from '../../../main/failure/failure.ts';
import { refuseOtherFileTypes } from '../../../main/input/prepare-source.ts';

async function refuses(bytes: Buffer, message: RegExp): Promise<void> {
  const isExpected = (problem: unknown) =>
    problem instanceof Failure && problem.kind === 'notHtml' && message.test(problem.message);
  await assert.rejects(refuseOtherFileTypes(bytes, 'page.html'), isExpected, String(message));
}

const latin1 = (text: string) => Buffer.from(text, 'latin1');

describe('a file that is not HTML is refused with its type:', () => {
  test('real images', async () => {
    const image = sharp({ create: { width: 8, height: 8, channels: 3, background: 'red' } });
    await refuses(await image.clone().png().toBuffer(), /'page\.html' is a PNG image, not HTML/);
    await refuses(await image.clone().jpeg().toBuffer(), /a JPEG image/);
    await refuses(await image.clone().gif().toBuffer(), /a GIF image/);
    await refuses(await image.clone().webp().toBuffer(), /WebP/);
  });

  test('a real PDF, a gzip archive, the beginning of a zip archive and of a program', async () => {
    const document = await PDFDocument.create();
    document.addPage();
    await refuses(Buffer.from(await document.save()), /a PDF document/);
    await refuses(latin1('%PDF-1.4 without a control character'), /a PDF document/);
    await refuses(gzipSync('<p>'), /a gzip archive/);
    await refuses(latin1('PK\x03\x04\x14\0\0\0'), /a zip archive/);
    await refuses(latin1('\x7fELF\x02\x01\x01\0'), /a program/);
  });

  test('any other binary file', async () => {
    await refuses(latin1('\x01\x02\x03'), /a binary file/);
    await refuses(latin1(`<p>${'a'.repeat(4000)}\0`), /a binary file/);
  });
});

describe('an empty file is refused as empty:', () => {
  test('no bytes, or only spaces', async () => {
    for (const text of ['', ' ', '\n\t\r\n', ' '.repeat(4096)])
      await refuses(latin1(text), /is empty; send an HTML document/);
  });

  test('three million spaces', async () => {
    await refuses(latin1(' '.repeat(3_000_000)), /is empty/);
  });

  test('a byte order mark and nothing else', async () => {
    for (const mark of ['\xef\xbb\xbf', '\xff\xfe', '\xfe\xff']) await refuses(latin1(mark), /is empty/);
  });
});

describe('HTML is accepted', () => {
  test('in UTF-8, in an old character set, and in UTF-16 with or without a byte order mark', async () => {
    const html = '<!doctype html><p>Grüße</p>';
    const utf16 = Buffer.from(html, 'utf16le');
    const marked = Buffer.concat([latin1('\xff\xfe'), utf16]);
    for (const bytes of [
      Buffer.from(html),
      latin1(html),
      utf16,
      Buffer.from(utf16).swap16(),
      marked,
      Buffer.from(marked).swap16(),
    ]) {
      await refuseOtherFileTypes(bytes, 'page.html');
    }
  });

  test('after three million spaces', async () => {
    await refuseOtherFileTypes(latin1(`${' '.repeat(3_000_000)}<p>`), 'page.html');
  });

  test('when it only begins like another file type', async () => {
    for (const text of [
      'BMW is a car',
      'MZ',
      'GIF8 images',
      'PK',
      'Rar!',
      'RIFF raff',
      'BZh9',
      'just a letter',
    ]) {
      await refuseOtherFileTypes(latin1(text), 'page.html');
    }
  });

  test('with the escape sequences of ISO-2022-JP', async () => {
    await refuseOtherFileTypes(latin1('<p>\x1b$B$"\x1b(B</p>'), 'page.html');
  });
});
