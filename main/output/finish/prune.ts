/** Deletes the objects nothing leads to: pdf-lib saves whatever it has parsed. */
import { PDFArray, PDFDict, PDFObject, PDFRef, PDFStream, type PDFDocument } from '@cantoo/pdf-lib';

/** The last step before saving: pdf-lib may hold on to objects it means to use again, and nothing leads to them until it does. */
export function prune(document: PDFDocument): void {
  const reached = reachable(document);
  for (const [ref] of document.context.enumerateIndirectObjects())
    if (!reached.has(ref)) document.context.delete(ref);
}

/** Without recursion: a chain of objects may be longer than the stack. */
function reachable({ context }: PDFDocument): Set<PDFRef> {
  const reached = new Set<PDFRef>();
  const waiting = Object.values(context.trailerInfo).filter((value) => value instanceof PDFObject);
  for (let object = waiting.pop(); object !== undefined; object = waiting.pop()) {
    if (object instanceof PDFRef) {
      if (reached.has(object)) continue;
      reached.add(object);
      const found = context.lookup(object);
      if (found !== undefined) waiting.push(found);
    } else if (object instanceof PDFDict) waiting.push(...object.values());
    else if (object instanceof PDFStream) waiting.push(object.dict);
    else if (object instanceof PDFArray) for (const element of object.asArray()) waiting.push(element);
  }
  return reached;
}
