/**
 * Paints forms and images over and under the content of a page. All additions to printed pages use this file.
 *
 * A layer under the page is painted below all existing content, so later layers are below earlier ones. A layer over the page is
 * painted above all existing content.
 */
import {
  PDFArray,
  PDFDict,
  PDFName,
  PDFStream,
  type PDFObject,
  type PDFPage,
  type PDFRef,
} from '@cantoo/pdf-lib';
import { inverse, transformBox, multiply, type Box, type Matrix } from '../../geometry.ts';
import { clipTo, matrixOperator, formatNumber, frameOf } from './page-forms.ts';

export interface Layer {
  readonly position: 'over' | 'under';
  /** The artifact type. Artifacts are not part of the content of a tagged document (ISO 32000-1, 14.8.2.2). */
  readonly artifact: 'Header' | 'Footer' | 'Watermark' | 'Background';
  /** A form, or an image. An image fills the unit square. */
  readonly xobject: PDFRef;
  /** Maps the space of the form to the displayed page, in points from the lower left corner of the page. */
  readonly matrix: Matrix;
  /** The painted area, in points on the page. */
  readonly clip?: Box;
}

/** Returns a function that adds a layer to a page. Pages on which the layer has the same operators share its content stream. */
export function layerPainter(layer: Layer): (page: PDFPage) => void {
  const streams = new Map<string, PDFRef>();
  return (page) => {
    const { context } = page.doc;
    const text = operators(page, layer, nameFor(page, layer.xobject));
    const stream = streams.get(text) ?? context.register(context.stream(text));
    streams.set(text, stream);
    const contents = isolatedContents(page);
    if (layer.position === 'over') contents.push(stream);
    else contents.unshift(stream);
    page.node.set(PDFName.of('Contents'), context.obj(contents));
  };
}

export function addLayer(page: PDFPage, layer: Layer): void {
  layerPainter(layer)(page);
}

/** Adds a content stream before the existing ones of a page, and another one after them. */
export function wrapContents(page: PDFPage, before: PDFRef, after: PDFRef): void {
  page.node.set(PDFName.of('Contents'), page.doc.context.obj([before, ...contentsOf(page), after]));
}

/**
 * Returns the content streams of a page, enclosed in q and Q operators, because Chromium never undoes its initial transform. Each
 * document has only one stream with the q operator (from pdf-lib), which identifies pages that are already enclosed.
 */
function isolatedContents(page: PDFPage): PDFObject[] {
  const { context } = page.doc;
  const contents = contentsOf(page);
  if (contents.length === 0) return contents;
  const push = context.getPushGraphicsStateContentStream();
  if (contents.includes(push)) return contents;
  return [push, ...contents, context.getPopGraphicsStateContentStream()];
}

function contentsOf({ node, doc }: PDFPage): PDFObject[] {
  const entry = node.get(PDFName.of('Contents'));
  const contents = doc.context.lookup(entry);
  if (contents instanceof PDFArray) return [...contents.asArray()];
  return entry !== undefined && contents instanceof PDFStream ? [entry] : [];
}

/** Returns the name of a form or image in the resources of a page. Adds it under a unique name if necessary. */
function nameFor(page: PDFPage, xobject: PDFRef): string {
  const xobjects = ownXObjects(page);
  let name = `Layer${xobject.objectNumber}`;
  for (;;) {
    const taken = xobjects.get(PDFName.of(name));
    if (taken === undefined || taken === xobject) break;
    name += 'x';
  }
  xobjects.set(PDFName.of(name), xobject);
  return name;
}

/**
 * Returns the XObject dictionary of a page, for adding entries. Gives the page its own copy of its resources, because pages may
 * share or inherit the dictionaries.
 */
function ownXObjects({ node, doc }: PDFPage): PDFDict {
  const resources = node.Resources()?.clone() ?? doc.context.obj({});
  const xobjects = resources.lookupMaybe(PDFName.of('XObject'), PDFDict)?.clone() ?? doc.context.obj({});
  resources.set(PDFName.of('XObject'), xobjects);
  node.set(PDFName.of('Resources'), resources);
  return xobjects;
}

function operators(page: PDFPage, { artifact, matrix, clip }: Layer, name: string): string {
  const { fromUser, box } = frameOf(page);
  const toUser = inverse(fromUser);
  const clipping = clip === undefined ? [] : [clipTo(transformBox(toUser, clip))];
  return [
    `/Artifact ${properties(artifact, box)} BDC q`,
    ...clipping,
    matrixOperator(multiply(matrix, toUser)),
    `/${name} Do`,
    'Q EMC\n',
  ].join('\n');
}

function properties(artifact: Layer['artifact'], { left, bottom, width, height }: Box): string {
  switch (artifact) {
    case 'Header':
      return '<</Type/Pagination/Subtype/Header/Attached[/Top]>>';
    case 'Footer':
      return '<</Type/Pagination/Subtype/Footer/Attached[/Bottom]>>';
    case 'Watermark':
      return '<</Type/Pagination/Subtype/Watermark>>';
    case 'Background': {
      const corners = [left, bottom, left + width, bottom + height].map(formatNumber).join(' ');
      return `<</Type/Background/BBox[${corners}]>>`;
    }
  }
}
