/**
 * Leaves only the objects that something leads to, numbered without gaps: pdf-lib saves whatever it has parsed, and the
 * table of a file that was never changed has one section (ISO 32000-1, 7.5.4).
 */
import { PDFRef, type PDFDocument, type PDFObject } from '@cantoo/pdf-lib';
import { replacing } from './references.ts';

/** The last step before saving: references that anybody still holds mean nothing afterwards. */
export function prune({ context }: PDFDocument): void {
  const numbers = new Map<PDFRef, PDFRef>();
  const kept: PDFObject[] = [];
  const numbered = (reference: PDFRef): PDFRef => {
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
  const renumber = replacing(numbered);
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
