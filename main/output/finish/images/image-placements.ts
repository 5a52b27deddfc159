/** Determines the drawn size of images in a PDF from the content of pages, forms and tiling patterns. */
import { PDFDict, PDFName, PDFNumber, PDFRef, PDFStream, type PDFDocument } from '@cantoo/pdf-lib';
import { decodedContent, numbersIn } from '../pdf-document.ts';
import { operations, type Operation } from '../../pdf-reader/pdf-syntax.ts';
import { matrixOf, multiply, type Matrix } from '../../geometry.ts';

/** The size of a drawn image in points. */
export interface ImageExtent {
  readonly width: number;
  readonly height: number;
}

interface ImagePlacement {
  readonly image: PDFRef;
  /** Maps the unit square of the image to the space of the content that draws it. */
  readonly matrix: Matrix;
}

/** The placements in each form and pattern, cached because one form may be drawn on many pages. */
interface PlacementCache {
  readonly byForm: Map<PDFRef, readonly ImagePlacement[]>;
  /** How many further placements are cached. Those above it are ignored. */
  left: number;
}

const identity: Matrix = [1, 0, 0, 1, 0, 0];
/** Limits the time for documents with nested forms that draw an exponential number of images. */
const maxPlacements = 100_000;
/** Limits the memory for documents with many forms that draw each other: a placement takes 120 bytes. */
const maxCachedPlacements = 200_000;

/** Returns the largest width and height at which each image is drawn. Ignores images in masks, glyphs and annotations. */
export function imageExtents(document: PDFDocument): Map<PDFRef, ImageExtent> {
  const extents = new Map<PDFRef, ImageExtent>();
  const cache: PlacementCache = { byForm: new Map(), left: maxCachedPlacements };
  for (const { node } of document.getPages()) {
    const unit = node.lookup(PDFName.of('UserUnit'));
    const scale = unit instanceof PDFNumber ? unit.asNumber() : 1;
    for (const { image, matrix } of placementsIn(decodedContent(node.Contents()), node.Resources(), cache))
      extents.set(image, larger(extents.get(image), extentOf(matrix, scale)));
  }
  return extents;
}

function extentOf([a, b, c, d]: Matrix, scale: number): ImageExtent {
  return { width: Math.hypot(a, b) * scale, height: Math.hypot(c, d) * scale };
}

function larger(left: ImageExtent | undefined, right: ImageExtent): ImageExtent {
  if (left === undefined) return right;
  return { width: Math.max(left.width, right.width), height: Math.max(left.height, right.height) };
}

function placementsIn(
  content: Uint8Array,
  resources: PDFDict | undefined,
  cache: PlacementCache,
): ImagePlacement[] {
  const placements: ImagePlacement[] = [];
  const saved: Matrix[] = [];
  let matrix = identity;
  for (const operation of operations(content)) {
    const { operator, operands } = operation;
    if (operator === 'q') saved.push(matrix);
    else if (operator === 'Q') matrix = saved.pop() ?? matrix;
    else if (operator === 'cm') matrix = multiply(matrixOf(operands.map(Number)), matrix);
    else if (operator === 'Do' || operator === 'scn' || operator === 'SCN')
      for (const placement of placementsOf(operation, resources, cache))
        placements.push({
          ...placement,
          // A pattern uses the space of its content stream, regardless of the current matrix (ISO 32000-1, 8.7.3.1).
          matrix: multiply(placement.matrix, operator === 'Do' ? matrix : identity),
        });
    if (placements.length > maxPlacements) break;
  }
  return placements;
}

/** Returns the image that an operation draws, or the images in the form or pattern that it draws. */
function placementsOf(
  operation: Operation,
  resources: PDFDict | undefined,
  cache: PlacementCache,
): readonly ImagePlacement[] {
  const name = operation.operands.at(-1);
  if (typeof name !== 'string') return [];
  const kind = resources?.lookup(PDFName.of(operation.operator === 'Do' ? 'XObject' : 'Pattern'));
  const reference = kind instanceof PDFDict ? kind.get(PDFName.of(name)) : undefined;
  const stream = resources?.context.lookup(reference);
  if (!(reference instanceof PDFRef) || !(stream instanceof PDFStream)) return [];
  if (stream.dict.lookup(PDFName.of('Subtype')) === PDFName.of('Image'))
    return [{ image: reference, matrix: identity }];
  const cached = cache.byForm.get(reference);
  if (cached !== undefined) return cached;
  // The entry is empty until the form has been read, so a form that draws itself causes no endless recursion.
  cache.byForm.set(reference, []);
  const placements = formPlacements(stream, resources, cache).slice(0, cache.left);
  cache.left -= placements.length;
  cache.byForm.set(reference, placements);
  return placements;
}

function formPlacements(
  form: PDFStream,
  outerResources: PDFDict | undefined,
  cache: PlacementCache,
): ImagePlacement[] {
  const ownResources = form.dict.lookup(PDFName.of('Resources'));
  const formMatrix = matrixOf(numbersIn(form.dict, 'Matrix'));
  const placements = placementsIn(
    decodedContent(form),
    ownResources instanceof PDFDict ? ownResources : outerResources,
    cache,
  );
  return placements.map((placement) => ({ ...placement, matrix: multiply(placement.matrix, formMatrix) }));
}
