/** Writes the information dictionary of a PDF, and the same information as XMP metadata (ISO 16684-1). */
import { PDFDict, PDFHexString, PDFName, PDFRef, PDFString, type PDFDocument } from '@cantoo/pdf-lib';
import { textIn } from './pdf-document.ts';
import { xmpPacket, type XmpClaims } from './xmp.ts';

export interface DocumentInfo {
  readonly title?: string;
  readonly author?: string;
  readonly subject?: string;
  readonly keywords?: string;
  readonly producer?: string;
  /** The date of creation and of the last change, as a date of PDF (ISO 32000-1, 7.9.4). */
  readonly created?: string;
}

const names = {
  title: 'Title',
  author: 'Author',
  subject: 'Subject',
  keywords: 'Keywords',
  producer: 'Producer',
} as const;

/** Sets the entries that `info` contains and keeps all others, such as the creation time. Replaces existing XMP metadata. */
export function setDocumentInfo(document: PDFDocument, info: DocumentInfo): void {
  const dictionary = infoDictionary(document);
  for (const [key, name] of Object.entries(names)) {
    const text = info[key as keyof DocumentInfo];
    if (text !== undefined) dictionary.set(PDFName.of(name), PDFHexString.fromText(text));
  }
  if (info.created !== undefined)
    for (const name of ['CreationDate', 'ModDate'])
      dictionary.set(PDFName.of(name), PDFString.of(info.created));
  setMetadata(document);
}

export function titleOf(document: PDFDocument): string {
  return textIn(infoDictionary(document), 'Title');
}

/** Returns the date of creation as a date of PDF; empty if there is none. */
export function creationDateOf(document: PDFDocument): string {
  return textIn(infoDictionary(document), 'CreationDate');
}

function infoDictionary({ context }: PDFDocument): PDFDict {
  const existing = context.lookup(context.trailerInfo.Info);
  if (existing instanceof PDFDict) return existing;
  const dictionary = context.obj({});
  context.trailerInfo.Info = context.register(dictionary);
  return dictionary;
}

/**
 * Writes the XMP metadata that is equivalent to the information dictionary, as an uncompressed stream, which programs without PDF
 * support can find (ISO 32000-1, 14.3.2). `claims`: the standards to which the document conforms. Replaces existing metadata.
 */
export function setMetadata(document: PDFDocument, claims: XmpClaims = {}): void {
  const { context, catalog } = document;
  const dictionary = infoDictionary(document);
  const text = (name: string) => textIn(dictionary, name);
  const packet = xmpPacket({
    title: text('Title'),
    author: text('Author'),
    subject: text('Subject'),
    keywords: text('Keywords'),
    creator: text('Creator'),
    producer: text('Producer'),
    created: text('CreationDate'),
    modified: text('ModDate'),
    ...claims,
  });
  const stream = context.stream(Buffer.from(packet), { Type: 'Metadata', Subtype: 'XML' });
  const existing = catalog.get(PDFName.of('Metadata'));
  if (existing instanceof PDFRef) context.assign(existing, stream);
  else catalog.set(PDFName.of('Metadata'), context.register(stream));
}
