/** Leaves table cells the header cells that are left. */
import { PDFArray, PDFDict, PDFHexString, PDFName, PDFString, type PDFObject } from '@cantoo/pdf-lib';

/** A cell names the cells that head it by their IDs (14.8.5.7). */
export function selectHeaders(elements: ReadonlySet<PDFDict>): void {
  const ids = new Set([...elements].map((element) => textOf(element.lookup(PDFName.of('ID')))));
  for (const element of elements)
    for (const attributes of attributesOf(element)) {
      const headers = attributes.lookupMaybe(PDFName.of('Headers'), PDFArray);
      const stay = headers?.asArray().filter((id) => ids.has(textOf(element.context.lookup(id)))) ?? [];
      if (headers === undefined || stay.length === headers.size()) continue;
      if (stay.length === 0) attributes.delete(PDFName.of('Headers'));
      else attributes.set(PDFName.of('Headers'), element.context.obj(stay));
    }
}

function attributesOf(element: PDFDict): PDFDict[] {
  const attributes = element.lookup(PDFName.of('A'));
  const list = attributes instanceof PDFArray ? attributes.asArray() : [attributes];
  return list.map((entry) => element.context.lookup(entry)).filter((entry) => entry instanceof PDFDict);
}

function textOf(id: PDFObject | undefined): string | undefined {
  const isText = id instanceof PDFString || id instanceof PDFHexString;
  return isText ? Buffer.from(id.asBytes()).toString('latin1') : undefined;
}
