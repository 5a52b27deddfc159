/** Removes duplicate fonts and pictures. Each printed batch of headers and footers brings its own copies. */
import { createHash } from 'node:crypto';
import {
  PDFArray,
  PDFDict,
  PDFName,
  PDFRawStream,
  PDFRef,
  PDFStream,
  type PDFContext,
  type PDFDocument,
  type PDFObject,
} from '@cantoo/pdf-lib';
import { replacing } from './pdf-document.ts';

/** The largest number of references in a picture: its mask and its colour profile. */
const deepest = 2;

/** Smaller streams, in bytes, are ignored. */
const leastLength = 1000;

/** Keeps one of equal fonts and pictures. */
export function shareEqualStreams({ context }: PDFDocument): void {
  const equal = equalStreams(context);
  if (equal.size === 0) return;
  const replace = replacing((reference) => equal.get(reference) ?? reference);
  for (const [, object] of context.enumerateIndirectObjects()) replace(object);
  for (const reference of equal.keys()) context.delete(reference);
}

/** Maps each duplicate stream to the first equal one. */
function equalStreams(context: PDFContext): ReadonlyMap<PDFRef, PDFRef> {
  const byLength = new Map<number, [PDFRef, PDFRawStream][]>();
  for (const [reference, object] of context.enumerateIndirectObjects()) {
    if (!(object instanceof PDFRawStream)) continue;
    const { length } = object.contents;
    if (length < leastLength) continue;
    const group = byLength.get(length) ?? [];
    group.push([reference, object]);
    byLength.set(length, group);
  }
  const firsts = new Map<string, PDFRef>();
  const equal = new Map<PDFRef, PDFRef>();
  for (const [reference, stream] of [...byLength.values()].filter(({ length }) => length > 1).flat()) {
    const content = contentOf(stream, context);
    if (content === undefined) continue;
    const first = firsts.get(content);
    if (first === undefined) firsts.set(content, reference);
    else equal.set(reference, first);
  }
  return equal;
}

/** Returns the key of a picture, or of a stream without references such as a font program; otherwise undefined. */
function contentOf(stream: PDFRawStream, context: PDFContext): string | undefined {
  const isPicture = stream.dict.get(PDFName.of('Subtype')) === PDFName.of('Image');
  return described(stream, context, isPicture ? deepest : 0);
}

/** Returns equal keys for equal objects, or undefined for more than this number of references. */
function described(object: PDFObject | undefined, context: PDFContext, depth: number): string | undefined {
  const all = (objects: readonly PDFObject[]) => {
    const texts = objects.map((each) => described(each, context, depth));
    return texts.includes(undefined) ? undefined : `[${texts.join(' ')}]`;
  };
  if (object instanceof PDFRef)
    return depth === 0 ? undefined : described(context.lookup(object), context, depth - 1);
  if (object instanceof PDFArray) return all(object.asArray());
  if (object instanceof PDFDict) {
    const entries = all(object.entries().flat());
    return entries && `<<${entries}>>`;
  }
  if (!(object instanceof PDFStream)) return object?.toString();
  const dict = object instanceof PDFRawStream ? described(object.dict, context, depth) : undefined;
  return dict && `${dict} ${createHash('sha256').update(object.getContents()).digest('base64')}`;
}
