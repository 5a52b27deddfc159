/**
 * Leaves only the objects that something leads to, numbered without gaps: pdf-lib saves whatever it has parsed, and the
 * table of a file that was never changed has one section (ISO 32000-1, 7.5.4). Of equal streams one is left.
 */
import { PDFArray, PDFDict, PDFRef, PDFStream, type PDFDocument, type PDFObject } from '@cantoo/pdf-lib';
import { equalStreams } from './equal-streams.ts';

/** The last step before saving: references that anybody still holds mean nothing afterwards. */
export function prune({ context }: PDFDocument): void {
  const numbers = new Map<PDFRef, PDFRef>();
  const kept: PDFObject[] = [];
  const equal = equalStreams(context);
  const numbered = (named: PDFRef): PDFRef => {
    const reference = equal.get(named) ?? named;
    const known = numbers.get(reference);
    if (known !== undefined) return known;
    const found = context.lookup(reference);
    // What leads to nothing leads to the object that every file lacks.
    if (found === undefined) return PDFRef.of(0, 65_535);
    kept.push(found);
    const number = PDFRef.of(kept.length);
    numbers.set(reference, number);
    return number;
  };
  const { Root, Info, Encrypt, ID } = context.trailerInfo;
  const renumber = renumbering(numbered);
  const trailer = { Root, Info, Encrypt, ID };
  for (const [key, value] of Object.entries(trailer))
    if (value !== undefined) context.trailerInfo[key as keyof typeof trailer] = renumber(value);
  // It grows while it is walked.
  for (const object of kept) renumber(object);
  for (const [reference] of context.enumerateIndirectObjects()) context.delete(reference);
  kept.forEach((object, index) => {
    context.assign(PDFRef.of(index + 1), object);
  });
  context.largestObjectNumber = kept.length;
}

/** A function that gives every reference in an object its new number, each container once. */
function renumbering(numbered: (reference: PDFRef) => PDFRef): (object: PDFObject) => PDFObject {
  const done = new Set<PDFObject>();
  const within = (object: PDFObject): void => {
    if (done.has(object)) return;
    done.add(object);
    if (object instanceof PDFStream) within(object.dict);
    else if (object instanceof PDFDict)
      for (const [key, value] of object.entries()) object.set(key, renumber(value));
    else if (object instanceof PDFArray)
      object.asArray().forEach((value, index) => {
        object.set(index, renumber(value));
      });
  };
  const renumber = (object: PDFObject): PDFObject => {
    if (object instanceof PDFRef) return numbered(object);
    within(object);
    return object;
  };
  return renumber;
}
