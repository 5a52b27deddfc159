/** Fonts and pictures that are in a document more than once: they come with each portion of the headers and footers. */
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
import { replacing } from './references.ts';

/** A picture leads to its mask, and to the profile of its colours. */
const deepest = 2;

/** Bytes; what is smaller is not worth a look. */
const leastLength = 1000;

/** Of equal fonts and pictures one is left. */
export function shareEqualStreams({ context }: PDFDocument): void {
  const equal = equalStreams(context);
  if (equal.size === 0) return;
  const replace = replacing((reference) => equal.get(reference) ?? reference);
  for (const [, object] of context.enumerateIndirectObjects()) replace(object);
  for (const reference of equal.keys()) context.delete(reference);
}

/** Of streams that say the same all but the first, each with the first. */
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

/** Of a picture, and of a stream that leads to nothing else, such as the program of a font; undefined of any other. */
function contentOf(stream: PDFRawStream, context: PDFContext): string | undefined {
  const isPicture = stream.dict.get(PDFName.of('Subtype')) === PDFName.of('Image');
  return described(stream, context, isPicture ? deepest : 0);
}

/** The same for objects that mean the same; undefined beyond as many references. */
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
