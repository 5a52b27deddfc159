/**
 * Paints forms and pictures over and under what a page shows: the one way anything is added to a printed page.
 *
 * Each layer under a page goes below all that is there, so of two the later lies lower; each over it goes on top.
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
import { inverse, moveBox, multiply, type Box, type Matrix } from '../../geometry.ts';
import { clipTo, concat, real } from './operators.ts';
import { frameOf } from './page-frame.ts';

export interface Layer {
  readonly place: 'over' | 'under';
  /** What readers of tagged documents are told: that it is none of the content (ISO 32000-1, 14.8.2.2). */
  readonly artifact: 'Header' | 'Footer' | 'Watermark' | 'Background';
  /** A form, or a picture, which fills the unit square. */
  readonly xobject: PDFRef;
  /** From the form's space to the page as it is seen, in points from its lower left corner. */
  readonly matrix: Matrix;
  /** What is outside is not painted; points on the page. */
  readonly clip?: Box;
}

/** Lays one layer on any number of pages; where it looks the same, they share its content stream. */
export function layerPainter(layer: Layer): (page: PDFPage) => void {
  const streams = new Map<string, PDFRef>();
  return (page) => {
    const { context } = page.doc;
    const text = operators(page, layer, nameFor(page, layer.xobject));
    const stream = streams.get(text) ?? context.register(context.stream(text));
    streams.set(text, stream);
    const contents = isolatedContents(page);
    if (layer.place === 'over') contents.push(stream);
    else contents.unshift(stream);
    page.node.set(PDFName.of('Contents'), context.obj(contents));
  };
}

export function addLayer(page: PDFPage, layer: Layer): void {
  layerPainter(layer)(page);
}

/** Streams painted before and after what the page shows. */
export function wrapContents(page: PDFPage, before: PDFRef, after: PDFRef): void {
  page.node.set(PDFName.of('Contents'), page.doc.context.obj([before, ...contentsOf(page), after]));
}

/**
 * The content streams, the page's own between q and Q: Chromium's begin with a transform they never take back. pdf-lib has one
 * such pair for a document, by which a page is known that has been through this.
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

/** The page's name for the form, which may already be there; unlike any other on the page. */
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

/** Pages may share their resources or inherit them, so the page gets a copy of both dictionaries before anything is added. */
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
  const cut = clip === undefined ? [] : [clipTo(moveBox(toUser, clip))];
  return [
    `/Artifact ${properties(artifact, box)} BDC q`,
    ...cut,
    concat(multiply(matrix, toUser)),
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
      const corners = [left, bottom, left + width, bottom + height].map(real).join(' ');
      return `<</Type/Background/BBox[${corners}]>>`;
    }
  }
}
