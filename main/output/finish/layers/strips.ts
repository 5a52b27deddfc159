/** Lays headers and footers on printed pages: each a page of a document of its own. */
import type { PDFDocument } from '@cantoo/pdf-lib';
import { PDFName, type PDFPage } from '@cantoo/pdf-lib';
import { inverse, multiply, transformAt, type Box, type Matrix, type WireMatrix } from '../../geometry.ts';
import { addLayer } from './layers.ts';
import { addAnnotations, annotationsOf, isWebLink, moveAnnotation } from './links.ts';
import { frameOf } from './page-frame.ts';
import { readPdf } from '../pdf-document.ts';
import { pageForms, type PageForm, type PageForms } from './page-forms.ts';

/** One strip of one output page: the strip's page is scaled to the box, and cut at its own edge. */
export interface Place extends Box {
  /** Index in the strips' document. */
  readonly page: number;
  /** Turns strip and links about the upper left corner of the box; nothing is cut at the box then. */
  readonly matrix?: WireMatrix | undefined;
}

export interface Strips {
  readonly kind: 'Header' | 'Footer';
  readonly pdf: Uint8Array;
  /** For each output page; undefined for a page without a strip. */
  readonly places: readonly (Place | undefined)[];
}

/** Web links in a strip stay links; what prints nothing adds nothing. @throws Error when the strips' document is unusable. */
export async function layStrips(document: PDFDocument, strips: Strips): Promise<void> {
  const source = await readPdf(strips.pdf);
  const forms = pageForms(source, document);
  document.getPages().forEach((page, index) => {
    const place = strips.places[index];
    if (place === undefined) return;
    const form = forms.at(place.page);
    const matrix = matrixFor(form, place);
    if (form.ref !== undefined)
      addLayer(page, { place: 'over', artifact: strips.kind, xobject: form.ref, matrix });
    copyLinks(page, { form, forms, matrix });
  });
}

function matrixFor({ width, height }: PageForm, place: Place): Matrix {
  const { left, bottom } = place;
  const laid: Matrix = [place.width / width, 0, 0, place.height / height, left, bottom];
  if (place.matrix === undefined) return laid;
  return multiply(laid, transformAt(place.matrix, left, bottom + place.height));
}

interface Links {
  readonly form: PageForm;
  readonly forms: PageForms;
  readonly matrix: Matrix;
}

function copyLinks(page: PDFPage, { form, forms, matrix }: Links): void {
  const links = annotationsOf(form.page).filter(isWebLink);
  if (links.length === 0) return;
  const move = { matrix: multiply(multiply(form.fromUser, matrix), inverse(frameOf(page).fromUser)) };
  const copies = links.map((link) => {
    const copy = link.clone();
    // They lead back to the strips' document: its page, and its structure tree.
    for (const key of ['P', 'StructParent', 'Parent']) copy.delete(PDFName.of(key));
    return forms.copy(copy);
  });
  addAnnotations(
    page,
    copies.filter((copy) => moveAnnotation(copy, move)),
  );
}
