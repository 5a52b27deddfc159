/** Makes a document conform to the standards of pdf_standard, or finds out why it cannot. */
import { PDFDict, PDFName, type PDFDocument, type PDFRef } from '@cantoo/pdf-lib';
import type { FormField } from '../../../engine/page-scripts/controls/form-field.ts';
import type { PageSnapshot } from '../../../engine/devtools/print-marks.ts';
import type { Invoice } from '../attachments/invoice.ts';
import { setMetadata } from '../document-info.ts';
import { checkContent } from './check-content.ts';
import { describeNonconformities, type Nonconformity } from './nonconformity.ts';
import { checkLimits, conformToPdfA, type PdfA } from './pdf-a.ts';
import { conformToPdfUa } from './pdf-ua/pdf-ua.ts';

/** The standards to which a document must conform. */
export interface StandardTask {
  readonly pdfA?: PdfA;
  /** The nodes of the page. Present if the document must conform to PDF/UA-1. */
  readonly pdfUa?: PageSnapshot;
  /** Whether a document that cannot conform is refused. If not, it makes no claim, and each reason is noted. */
  readonly isStrict: boolean;
}

export interface ConformityReport {
  /** The names of the standards to which the document does not conform, such as `PDF/A-2u and PDF/UA-1`; empty if it conforms. */
  readonly unmet: string;
  /** Why the document does not conform, each with its page. */
  readonly reasons: readonly string[];
  /** What was removed, because a standard forbids it. */
  readonly removals: readonly string[];
}

/** What earlier steps have added to the document. */
interface DocumentParts {
  /** The form fields, by their widgets. */
  readonly fields: ReadonlyMap<PDFRef, FormField>;
  readonly invoice: Invoice | undefined;
}

/**
 * Changes the document, whose pages look and read as before, and writes the claims of conformance into its metadata, except for
 * standards to which it does not conform.
 */
export function conformToStandards(
  document: PDFDocument,
  { pdfA, pdfUa }: StandardTask,
  { fields, invoice }: DocumentParts,
): ConformityReport {
  const viewerFonts = nonconformitiesOfViewerFonts(document);
  const structure = pdfUa === undefined ? [] : conformToPdfUa(document, pdfUa, fields);
  const removals = pdfA === undefined ? [] : conformToPdfA(document);
  const needsUnicode = pdfA?.conformance === 'U' || pdfUa !== undefined;
  const { fonts, others } = checkContent(document, { needsUnicode });
  const archiving = pdfA === undefined ? [] : [...fonts, ...viewerFonts, ...others, ...checkLimits(document)];
  const accessibility = pdfUa === undefined ? [] : [...fonts, ...viewerFonts, ...structure];
  setMetadata(document, {
    pdfA: archiving.length === 0 ? pdfA : undefined,
    isPdfUa: pdfUa !== undefined && accessibility.length === 0,
    invoice,
  });
  const unmet = [
    ...(archiving.length > 0 && pdfA ? [`PDF/A-${pdfA.part}${pdfA.conformance.toLowerCase()}`] : []),
    ...(accessibility.length > 0 ? ['PDF/UA-1'] : []),
  ];
  return {
    unmet: unmet.join(' and '),
    reasons: describeNonconformities([...archiving, ...accessibility]),
    removals,
  };
}

/** Form fields with characters that their font lacks ask the viewer for its fonts, which are not embedded. */
function nonconformitiesOfViewerFonts({ catalog }: PDFDocument): Nonconformity[] {
  const form = catalog.lookupMaybe(PDFName.of('AcroForm'), PDFDict);
  if (form?.has(PDFName.of('NeedAppearances')) !== true) return [];
  const reason =
    'a form field has characters that are not in Windows-1252; remove them from its value and its options, or remove enable_pdf_forms';
  return [{ reason }];
}
