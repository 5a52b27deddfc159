/** Removes duplicate fonts and images. Each printed batch of headers and footers adds its own copies. */
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
import { referenceReplacer } from './pdf-document.ts';

/** How many references are followed when images are compared: from the image to its mask, and from there to a colour profile. */
const maxReferenceDepth = 2;

/** Streams with fewer bytes are ignored. */
const minStreamBytes = 1000;

/** Keeps only the first of several equal fonts or images, and redirects all references to it. */
export function shareEqualStreams({ context }: PDFDocument): void {
  const firstEqual = equalStreams(context);
  if (firstEqual.size === 0) return;
  const replace = referenceReplacer((reference) => firstEqual.get(reference) ?? reference);
  for (const [, object] of context.enumerateIndirectObjects()) replace(object);
  for (const reference of firstEqual.keys()) context.delete(reference);
}

/** Maps each duplicate stream to the first equal one. */
function equalStreams(context: PDFContext): ReadonlyMap<PDFRef, PDFRef> {
  const byLength = new Map<number, [PDFRef, PDFRawStream][]>();
  for (const [reference, object] of context.enumerateIndirectObjects()) {
    if (!(object instanceof PDFRawStream)) continue;
    const { length } = object.contents;
    if (length < minStreamBytes) continue;
    const group = byLength.get(length) ?? [];
    group.push([reference, object]);
    byLength.set(length, group);
  }
  const firstByKey = new Map<string, PDFRef>();
  const firstEqual = new Map<PDFRef, PDFRef>();
  for (const [reference, stream] of [...byLength.values()].filter(({ length }) => length > 1).flat()) {
    const key = streamKey(stream, context);
    if (key === undefined) continue;
    const first = firstByKey.get(key);
    if (first === undefined) firstByKey.set(key, reference);
    else firstEqual.set(reference, first);
  }
  return firstEqual;
}

/** Returns the key of an image, or of a stream without references such as a font program; otherwise undefined. */
function streamKey(stream: PDFRawStream, context: PDFContext): string | undefined {
  const isImage = stream.dict.get(PDFName.of('Subtype')) === PDFName.of('Image');
  return objectKey(stream, context, isImage ? maxReferenceDepth : 0);
}

/** Returns a key that is equal for equal objects; undefined if references are nested more than `depth` deep. */
function objectKey(object: PDFObject | undefined, context: PDFContext, depth: number): string | undefined {
  const keyOfAll = (objects: readonly PDFObject[]) => {
    const texts = objects.map((each) => objectKey(each, context, depth));
    return texts.includes(undefined) ? undefined : `[${texts.join(' ')}]`;
  };
  if (object instanceof PDFRef)
    return depth === 0 ? undefined : objectKey(context.lookup(object), context, depth - 1);
  if (object instanceof PDFArray) return keyOfAll(object.asArray());
  if (object instanceof PDFDict) {
    const entries = keyOfAll(object.entries().flat());
    return entries && `<<${entries}>>`;
  }
  if (!(object instanceof PDFStream)) return object?.toString();
  const dict = object instanceof PDFRawStream ? objectKey(object.dict, context, depth) : undefined;
  return dict && `${dict} ${createHash('sha256').update(object.getContents()).digest('base64')}`;
}
