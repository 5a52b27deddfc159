/**
 * Adds to a document what PDF/A-2 and PDF/A-3 (ISO 19005-2:2011, ISO 19005-3:2012) require. The clauses in comments are those of ISO 19005-2. Steps before this one must not add encryption, JavaScript or files.
 */
import {
  PDFArray,
  PDFDict,
  PDFHexString,
  PDFName,
  PDFNumber,
  PDFStream,
  PDFString,
  type PDFDocument,
  type PDFObject,
} from '@cantoo/pdf-lib';
import { dictsIn } from '../pdf-document.ts';
import type { Nonconformity } from './nonconformity.ts';
import { sRgbProfile } from './srgb-profile.ts';

/** A part and a conformance level of PDF/A, such as 2 and U for PDF/A-2u. */
export interface PdfA {
  readonly part: 2 | 3;
  readonly conformance: 'B' | 'U';
}

/**
 * Changes the document, whose pages look and read as before. Returns what was removed, because the standard forbids it. The file
 * identifier (6.1.3) is added at the end.
 */
export function conformToPdfA(document: PDFDocument): string[] {
  addOutputIntent(document);
  conformForm(document);
  return conformAnnotations(document);
}

/** States that device colours are sRGB, as in Chromium (6.2.3). */
function addOutputIntent({ context, catalog }: PDFDocument): void {
  const profile = context.flateStream(sRgbProfile, { N: 3 });
  const name = 'sRGB IEC61966-2.1';
  const intent = context.obj({
    Type: 'OutputIntent',
    S: 'GTS_PDFA1',
    OutputConditionIdentifier: PDFString.of(name),
    RegistryName: PDFString.of('http://www.color.org'),
    Info: PDFString.of(name),
    DestOutputProfile: context.register(profile),
  });
  catalog.set(PDFName.of('OutputIntents'), context.obj([context.register(intent)]));
}

/** Annotation flags (ISO 32000-1, table 165). Annotations must be printed and must not be hidden (6.3.2). */
const annotationFlags = { hiding: 1 | 2 | 32 | 256, print: 4 } as const;

/** Sets the flags of all annotations, and removes the actions of form fields (6.4.1). Returns what was removed. */
function conformAnnotations(document: PDFDocument): string[] {
  let actions = 0;
  for (const page of document.getPages()) {
    page.node.delete(PDFName.of('AA'));
    for (const annotation of dictsIn(page.node.lookup(PDFName.of('Annots')))) {
      const flags = annotation.lookup(PDFName.of('F'));
      const value = flags instanceof PDFNumber ? flags.asNumber() : 0;
      const conforming = (value & ~annotationFlags.hiding) | annotationFlags.print;
      annotation.set(PDFName.of('F'), PDFNumber.of(conforming));
      annotation.delete(PDFName.of('AA'));
      if (annotation.lookup(PDFName.of('Subtype')) !== PDFName.of('Widget')) continue;
      if (annotation.delete(PDFName.of('A'))) actions += 1;
      nameButtonState(annotation);
    }
  }
  if (actions === 0) return [];
  const buttons =
    actions === 1
      ? 'One button no longer submits or resets its form'
      : `${actions} buttons no longer submit or reset their forms`;
  return [`${buttons}, because PDF/A forbids actions of form fields.`];
}

/** Gives the appearance of a push button a state, because the appearances of buttons must have one (6.3.3). */
function nameButtonState(widget: PDFDict): void {
  const appearance = widget.lookup(PDFName.of('AP'));
  const isButton = widget.lookup(PDFName.of('FT')) === PDFName.of('Btn');
  if (!isButton || !(appearance instanceof PDFDict)) return;
  const normal = appearance.get(PDFName.of('N'));
  if (!(appearance.lookup(PDFName.of('N')) instanceof PDFStream) || normal === undefined) return;
  appearance.set(PDFName.of('N'), widget.context.obj({ Off: normal }));
  widget.set(PDFName.of('AS'), PDFName.of('Off'));
}

/** Removes what PDF/A forbids in forms (6.4). */
function conformForm({ catalog }: PDFDocument): void {
  const form = catalog.lookup(PDFName.of('AcroForm'));
  if (!(form instanceof PDFDict)) return;
  for (const key of ['NeedAppearances', 'XFA']) form.delete(PDFName.of(key));
}

/** The largest numbers of bytes in a string and in a name (6.1.13). */
const maxStringBytes = 32_767;
const maxNameBytes = 127;

/** Checks the lengths of strings and names outside content streams (6.1.13). */
export function checkLimits({ context }: PDFDocument): Nonconformity[] {
  const reasons = new Set<string>();
  const check = (object: PDFObject): void => {
    if (object instanceof PDFStream) check(object.dict);
    else if (object instanceof PDFDict)
      for (const [key, value] of object.entries()) {
        check(key);
        check(value);
      }
    else if (object instanceof PDFArray) object.asArray().forEach(check);
    else if (object instanceof PDFName && exceeds(object, maxNameBytes)) reasons.add(longName);
    else if (
      (object instanceof PDFString || object instanceof PDFHexString) &&
      exceeds(object, maxStringBytes)
    )
      reasons.add(longString);
  };
  for (const [, object] of context.enumerateIndirectObjects()) check(object);
  return [...reasons].map((reason) => ({ reason }));
}

const longString =
  'a text outside the pages, such as the address of a link or an alternative text, has more than 32,767 bytes; shorten it';
const longName =
  'a name in the file, such as the id of an element with a link to it, has more than 127 bytes; shorten it';

/** Returns whether a string or name has more bytes. The written form, which is known without decoding, is never shorter. */
function exceeds(object: PDFName | PDFString | PDFHexString, bytes: number): boolean {
  return object.sizeInBytes() > bytes && object.asBytes().length > bytes;
}
