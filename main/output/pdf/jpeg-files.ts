/** Collects the JPEG files of a page, as they were sent, when its print may have unpacked parts of them (decision 74). */
import type { Page } from '../../engine/page.ts';
import { hasLargeUnpackedImage } from '../pdf-reader/unpacked-images.ts';

const maxFiles = 200;
/** Of all files together. */
const maxBytes = 100_000_000;
/** The files of `data:` URLs, all together. Reading them is one step of the main thread. */
const maxDataBytes = 8_000_000;

/** Returns the files, which are read only if the print has a large unpacked image. */
export async function jpegFilesOf(
  { window: { cdp, context }, source }: Page,
  printed: Buffer,
): Promise<readonly Buffer[]> {
  if (!(await hasLargeUnpackedImage(printed))) return [];
  const files = source.kind === 'document' ? filesInDataUrls(source.bytes) : [];
  let bytesLeft = maxBytes;
  if (files.length === maxFiles) return files;
  for await (const file of cdp.loadedFiles(context.requests.jpegUrls())) {
    files.push(file);
    bytesLeft -= file.length;
    if (files.length === maxFiles || bytesLeft < 0) break;
  }
  return files;
}

const prefix = 'data:image/jpeg;base64,';
/** Whether a byte is a digit of Base64 or its padding, by byte. */
const isBase64 = Array.from({ length: 256 }, (_, byte) => /[\w+/=-]/.test(String.fromCharCode(byte)));

/** Returns the different JPEG files in the `data:` URLs of an HTML document, in linear time. */
function filesInDataUrls(html: Buffer): Buffer[] {
  if (html.length > maxDataBytes) return [];
  const files: Buffer[] = [];
  const seen = new Set<string>();
  let start = html.indexOf(prefix);
  while (start !== -1 && files.length < maxFiles) {
    const begin = start + prefix.length;
    let end = begin;
    while (isBase64[html[end] ?? 0] === true) end += 1;
    const content = html.toString('latin1', begin, end);
    if (!seen.has(content)) files.push(Buffer.from(content, 'base64'));
    seen.add(content);
    start = html.indexOf(prefix, end);
  }
  return files;
}
