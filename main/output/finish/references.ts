/** The references by which the objects of a PDF lead to one another. */
import { PDFArray, PDFDict, PDFRef, PDFStream, type PDFObject } from '@cantoo/pdf-lib';

/** A function that puts another in the place of every reference in an object, in each container once. */
export function replacing(other: (reference: PDFRef) => PDFRef): (object: PDFObject) => PDFObject {
  const done = new Set<PDFObject>();
  const within = (object: PDFObject): void => {
    if (done.has(object)) return;
    done.add(object);
    if (object instanceof PDFStream) within(object.dict);
    else if (object instanceof PDFDict)
      for (const [key, value] of object.entries()) object.set(key, replace(value));
    else if (object instanceof PDFArray)
      object.asArray().forEach((value, index) => {
        object.set(index, replace(value));
      });
  };
  const replace = (object: PDFObject): PDFObject => {
    if (object instanceof PDFRef) return other(object);
    within(object);
    return object;
  };
  return replace;
}
