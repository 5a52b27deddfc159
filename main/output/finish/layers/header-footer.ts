/** Adds printed headers and footers, which are pages of another document, to the pages of the output. */
import { PDFName, type PDFDocument, type PDFPage } from '@cantoo/pdf-lib';
import { inverse, multiply, transformAt, type Box, type Matrix, type ApiMatrix } from '../../geometry.ts';
import { addLayer } from './layers.ts';
import { addAnnotations, annotationsOf, isWebLink, moveAnnotation } from './links.ts';
import { frameOf, pageForms, type PageForm, type PageForms } from './page-forms.ts';
import { readPdf } from '../pdf-document.ts';

/** The position of the header or footer of one output page. Its printed page is scaled to the box and clipped at its own edge. */
export interface PlacedHeaderFooter extends Box {
  /** Page index in the document of headers or footers, from 0. */
  readonly page: number;
  /** Transforms content and links about the upper left corner of the box. The result is not clipped at the box. */
  readonly matrix?: ApiMatrix | undefined;
}

interface HeaderFooterLayer {
  readonly kind: 'Header' | 'Footer';
  readonly pdf: Uint8Array;
  /** One entry for each output page; undefined for a page without this header or footer. */
  readonly places: readonly (PlacedHeaderFooter | undefined)[];
}

/** Adds the headers or footers with their web links. Omits empty ones. @throws Error if their document is damaged */
export async function placeHeaderFooter(document: PDFDocument, layer: HeaderFooterLayer): Promise<void> {
  const source = await readPdf(layer.pdf);
  const forms = pageForms(source, document);
  document.getPages().forEach((page, index) => {
    const place = layer.places[index];
    if (place === undefined) return;
    const form = forms.at(place.page);
    const matrix = matrixFor(form, place);
    if (form.ref !== undefined)
      addLayer(page, { position: 'over', artifact: layer.kind, xobject: form.ref, matrix });
    copyLinks(page, { form, forms, matrix });
  });
}

function matrixFor({ width, height }: PageForm, place: PlacedHeaderFooter): Matrix {
  const { left, bottom } = place;
  const placed: Matrix = [place.width / width, 0, 0, place.height / height, left, bottom];
  if (place.matrix === undefined) return placed;
  return multiply(placed, transformAt(place.matrix, left, bottom + place.height));
}

interface LinkAnnotations {
  readonly form: PageForm;
  readonly forms: PageForms;
  readonly matrix: Matrix;
}

function copyLinks(page: PDFPage, { form, forms, matrix }: LinkAnnotations): void {
  const links = annotationsOf(form.page).filter(isWebLink);
  if (links.length === 0) return;
  const transform = { matrix: multiply(multiply(form.fromUser, matrix), inverse(frameOf(page).fromUser)) };
  const copies = links.map((link) => {
    const copy = link.clone();
    // These keys refer to the page and the structure tree of the document that the link is copied from.
    for (const key of ['P', 'StructParent', 'Parent']) copy.delete(PDFName.of(key));
    return forms.copy(copy);
  });
  addAnnotations(
    page,
    copies.filter((copy) => moveAnnotation(copy, transform)),
  );
}
