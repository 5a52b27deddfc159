/** Uploads that are no HTML, told apart by their first bytes, so that the answer can say what they are. */
import { setImmediate } from 'node:timers/promises';
import { Failure } from '../failure/failure.ts';

const signatures: readonly (readonly [start: string, what: string])[] = [
  ['%PDF-', 'a PDF document'],
  ['\x89PNG', 'a PNG picture'],
  ['\xff\xd8\xff', 'a JPEG picture'],
  ['GIF8', 'a GIF picture'],
  ['RIFF', 'a WebP picture or other RIFF file'],
  ['BM', 'a bitmap picture'],
  ['PK\x03\x04', 'a zip archive'],
  ['PK\x05\x06', 'an empty zip archive'],
  ['\x1f\x8b', 'a gzip archive'],
  ['BZh', 'a bzip2 archive'],
  ['7z\xbc\xaf', 'a 7-Zip archive'],
  ['Rar!', 'a RAR archive'],
  ['\xd0\xcf\x11\xe0', 'an old Microsoft Office document'],
  ['\x7fELF', 'a program'],
  ['MZ', 'a program'],
];

/**
 * Lets HTML pass.
 * @throws Failure notHtml for what is empty or something else.
 */
export async function refuseForeign(bytes: Buffer, name: string): Promise<void> {
  if (await isBlank(bytes)) {
    throw new Failure('notHtml', `The file '${name}' is empty; send an HTML document.`);
  }
  const start = bytes.toString('latin1', 0, 8);
  const what = signatures.find(([signature]) => start.startsWith(signature) && isBinary(bytes))?.[1];
  if (what !== undefined) throw notHtml(name, what);
  if (isBinary(bytes) && !isUtf16(bytes)) throw notHtml(name, 'a binary file');
}

/** White space and byte order marks only, UTF-16's zero bytes among them. */
export async function isBlank(bytes: Buffer): Promise<boolean> {
  for (let from = 0; from < bytes.length; from += portion) {
    if (/[^\x00\t\n\f\r \xef\xbb\xbf\xfe\xff]/.test(bytes.toString('latin1', from, from + portion)))
      return false;
    await setImmediate();
  }
  return true;
}

/** Bytes looked at in one piece: others are answered between two of them. */
const portion = 1_000_000;

/** HTML holds no control characters but white space; a letter that starts with "BM" is no bitmap. */
function isBinary(bytes: Buffer): boolean {
  return (
    bytes.toString('latin1', 0, 5) === '%PDF-' ||
    /[\x00-\x08\x0e-\x1a\x1c-\x1f]/.test(bytes.toString('latin1', 0, 4096))
  );
}

/** With a mark, or as `<` and a zero byte, it can be HTML in UTF-16. */
function isUtf16(bytes: Buffer): boolean {
  return /^(\xff\xfe|\xfe\xff|\s?\x3c\x00|\x00\s?\x3c)/.test(bytes.toString('latin1', 0, 4));
}

function notHtml(name: string, what: string): Failure {
  return new Failure('notHtml', `The file '${name}' is ${what}, not HTML; send an HTML document.`);
}
