/**
 * Replaces the shadings of Chromium's conic and repeating gradients. They are calculator functions (shading type 1), which pdf.js and
 * other viewers do not draw; a lattice of triangles (type 5) is drawn everywhere (decision 73).
 */
import {
  PDFDict,
  PDFName,
  PDFRawStream,
  PDFRef,
  type PDFContext,
  type PDFDocument,
  type PDFObject,
} from '@cantoo/pdf-lib';
import { deflateSync } from '../../../async/thread-zlib.ts';
import { inverse, matrixOf, overlap, transformBox, union, type Box, type Matrix } from '../../geometry.ts';
import { StreamTooLarge } from '../../pdf-reader/inflate.ts';
import { boundedDecoder, decodedContent, numberIn, numbersIn } from '../pdf-document.ts';
import { gradientMesh, type Lattice, type Vertex } from './gradient-mesh.ts';
import { readGradient, type Gradient } from './gradient.ts';
import { paintedAreas, type PaintedArea } from './painted-areas.ts';

interface DrawnGradient {
  readonly mesh: Lattice;
  readonly colours: Gradient['colours'];
}

interface FunctionShading {
  readonly pattern: PDFDict;
  readonly shading: PDFDict;
  readonly calculator: PDFRawStream;
  /** From the space of the shading to that of the content. */
  readonly matrix: Matrix;
  area: PaintedArea | undefined;
}

// A hostile page can have any number of gradients. The shadings beyond these limits stay as Chromium wrote them.

/** The size of all calculator functions together. Chromium writes less than a kilobyte for most gradients. */
const maxFunctionBytes = 10_000_000;
const maxVerticesOfMesh = 250_000;
const maxVertices = 1_000_000;

/** Replaces the shadings in the patterns of the document. */
export function replaceFunctionShadings(document: PDFDocument): void {
  const { context } = document;
  const shadings = functionShadings(context);
  if (shadings.size === 0) return;
  findAreas(document, shadings);
  const decode = boundedDecoder(maxFunctionBytes);
  let verticesLeft = maxVertices;
  for (const shading of shadings.values()) {
    try {
      const drawn = meshOf(shading, decode(shading.calculator), Math.min(verticesLeft, maxVerticesOfMesh));
      if (drawn === undefined) continue;
      verticesLeft -= drawn.mesh.length * (drawn.mesh[0]?.length ?? 0);
      shading.pattern.set(PDFName.of('Shading'), context.register(latticeShading(context, shading, drawn)));
    } catch (problem) {
      if (problem instanceof StreamTooLarge) return;
      // Otherwise the function is not one of Chromium's.
    }
  }
}

function functionShadings(context: PDFContext): Map<PDFRef, FunctionShading> {
  const found = new Map<PDFRef, FunctionShading>();
  for (const [reference, pattern] of context.enumerateIndirectObjects()) {
    if (!(pattern instanceof PDFDict)) continue;
    const shading = pattern.lookup(PDFName.of('Shading'));
    if (!(shading instanceof PDFDict) || shading.has(PDFName.of('Matrix'))) continue;
    if (numberIn(shading, 'ShadingType') !== functionBased) continue;
    const calculator = shading.lookup(PDFName.of('Function'));
    const matrix = matrixOf(numbersIn(pattern, 'Matrix'));
    if (calculator instanceof PDFRawStream)
      found.set(reference, { pattern, shading, calculator, matrix, area: undefined });
  }
  return found;
}

const functionBased = 1;

/** What one content stream paints with patterns. */
interface PatternUse {
  readonly dict: PDFDict;
  readonly painted: readonly { readonly pattern: PDFRef; readonly area: PaintedArea }[];
}

/** Finds what the pages, forms and tiling patterns paint with the shadings. */
function findAreas(document: PDFDocument, shadings: ReadonlyMap<PDFRef, FunctionShading>): void {
  const { context } = document;
  const uses = document.getPages().map(({ node }) => useOf(node, node.Resources(), node.Contents()));
  for (const [, stream] of context.enumerateIndirectObjects()) {
    if (!(stream instanceof PDFRawStream)) continue;
    const resources = stream.dict.lookup(PDFName.of('Resources'));
    if (resources instanceof PDFDict) uses.push(useOf(stream.dict, resources, stream));
  }
  const visibleAreas = areasOfTilingPatterns(context, uses);
  for (const { dict, painted } of uses)
    for (const { pattern, area } of painted) {
      const shading = shadings.get(pattern);
      if (shading !== undefined)
        shading.area = unionOf(shading.area, visibleArea(area, visibleAreas.get(dict)));
    }
}

function useOf(dict: PDFDict, resources: PDFDict | undefined, content: PDFObject | undefined): PatternUse {
  const patterns = resources?.lookup(PDFName.of('Pattern'));
  const references = patterns instanceof PDFDict ? patterns.entries() : [];
  const areas =
    references.length > 0 ? paintedAreas(decodedContent(content)) : new Map<string, PaintedArea>();
  const painted = references.flatMap(([name, pattern]) => {
    const area = areas.get(name.decodeText());
    return pattern instanceof PDFRef && area !== undefined ? [{ pattern, area }] : [];
  });
  return { dict, painted };
}

/**
 * Returns the visible parts of tiling patterns and of their soft masks. Chromium writes a transparent gradient as a tiling pattern
 * of the size of the page, in which two shadings fill the page: one in a soft mask.
 */
function areasOfTilingPatterns(
  context: PDFContext,
  uses: readonly PatternUse[],
): ReadonlyMap<PDFDict, PaintedArea> {
  const areas = new Map<PDFDict, PaintedArea>();
  for (const { pattern, area } of uses.flatMap(({ painted }) => painted)) {
    const tiling = context.lookup(pattern);
    if (!(tiling instanceof PDFRawStream)) continue;
    const inside = areaInTile(tiling, area);
    for (const dict of [tiling.dict, ...softMasksOf(tiling.dict)])
      areas.set(dict, unionOf(areas.get(dict), inside));
  }
  return areas;
}

function areaInTile({ dict }: PDFRawStream, area: PaintedArea): PaintedArea {
  if (area === 'everywhere') return area;
  const [left = 0, bottom = 0, right = 0, top = 0] = numbersIn(dict, 'BBox');
  const inside = transformBox(inverse(matrixOf(numbersIn(dict, 'Matrix'))), area);
  const isOneTile =
    inside.left >= left &&
    inside.bottom >= bottom &&
    inside.left + inside.width <= right &&
    inside.bottom + inside.height <= top;
  return isOneTile ? inside : 'everywhere';
}

function softMasksOf(dict: PDFDict): PDFDict[] {
  const resources = dict.lookup(PDFName.of('Resources'));
  const states = resources instanceof PDFDict ? resources.lookup(PDFName.of('ExtGState')) : undefined;
  if (!(states instanceof PDFDict)) return [];
  return states.keys().flatMap((name) => {
    const state = states.lookup(name);
    const mask = state instanceof PDFDict ? state.lookup(PDFName.of('SMask')) : undefined;
    const form = mask instanceof PDFDict ? mask.lookup(PDFName.of('G')) : undefined;
    return form instanceof PDFRawStream ? [form.dict] : [];
  });
}

function unionOf(first: PaintedArea | undefined, second: PaintedArea): PaintedArea {
  return first === 'everywhere' || second === 'everywhere' ? 'everywhere' : union(first, second);
}

function visibleArea(area: PaintedArea, visible: PaintedArea | undefined): PaintedArea {
  if (visible === undefined || visible === 'everywhere') return area;
  return area === 'everywhere' ? visible : (overlap(area, visible) ?? area);
}

function meshOf(shading: FunctionShading, code: Uint8Array, maxVertices: number): DrawnGradient | undefined {
  const area = areaOf(shading);
  const [a, b, c, d] = shading.matrix;
  const options = { area, scale: Math.max(Math.hypot(a, b), Math.hypot(c, d)), maxVertices };
  const gradient = readGradient(code);
  const mesh = gradient && gradientMesh(gradient, options);
  return mesh && { mesh, colours: gradient.colours };
}

/** Room for the edges of painted paths, in points. */
const edge = 1;

/** Returns the part of the shading's domain that is painted. */
function areaOf({ shading, matrix, area }: FunctionShading): Box {
  const [left = 0, right = 1, bottom = 0, top = 1] = numbersIn(shading, 'Domain');
  const domain = { left, bottom, width: right - left, height: top - bottom };
  if (area === undefined || area === 'everywhere') return domain;
  const painted = {
    left: area.left - edge,
    bottom: area.bottom - edge,
    width: area.width + 2 * edge,
    height: area.height + 2 * edge,
  };
  return overlap(domain, transformBox(inverse(matrix), painted)) ?? domain;
}

const maxUint16 = 65_535;

/**
 * Returns a stream of vertices with coordinates and a parameter of 16 bits. A function maps the parameter to a colour: poppler
 * draws meshes without a function slowly, and with gaps.
 */
function latticeShading(
  context: PDFContext,
  { shading }: FunctionShading,
  { mesh, colours }: DrawnGradient,
): PDFRawStream {
  const vertices = mesh.flat();
  const [left, right] = extent(vertices, ({ x }) => x);
  const [bottom, top] = extent(vertices, ({ y }) => y);
  // A sampled function has at least two samples. Whole numbers stand for the colours, so that these are exact.
  const samples = colours.length > 1 ? colours : [...colours, ...colours];
  const step = Math.floor(maxUint16 / (samples.length - 1));
  const bytes = Buffer.alloc(vertices.length * 6);
  let at = 0;
  for (const { x, y, colour } of vertices) {
    at = bytes.writeUInt16BE(Math.round(((x - left) / (right - left)) * maxUint16), at);
    at = bytes.writeUInt16BE(Math.round(((y - bottom) / (top - bottom)) * maxUint16), at);
    at = bytes.writeUInt16BE(Math.round(colour * step), at);
  }
  const entries = {
    ShadingType: 5,
    ColorSpace: shading.get(PDFName.of('ColorSpace')) ?? PDFName.of('DeviceRGB'),
    BitsPerCoordinate: 16,
    BitsPerComponent: 16,
    VerticesPerRow: mesh[0]?.length ?? 0,
    // Poppler computes parameters as fixed-point numbers of a small range.
    Decode: [left, right, bottom, top, 0, 1],
    Function: context.register(sampledFunction(context, samples, step)),
    Filter: 'FlateDecode',
  };
  return PDFRawStream.of(context.obj(entries), deflateSync(bytes));
}

function sampledFunction(context: PDFContext, samples: Gradient['colours'], step: number): PDFRawStream {
  const entries = {
    FunctionType: 0,
    Domain: [0, ((samples.length - 1) * step) / maxUint16],
    Range: (samples[0] ?? []).flatMap(() => [0, 1]),
    Size: [samples.length],
    BitsPerSample: 8,
  };
  return PDFRawStream.of(
    context.obj(entries),
    Uint8Array.from(samples.flat(), (value) => Math.round(value * 255)),
  );
}

function extent(
  vertices: readonly Vertex[],
  valueOf: (vertex: Vertex) => number,
): [min: number, max: number] {
  let min = Infinity;
  let max = -Infinity;
  for (const vertex of vertices) {
    min = Math.min(min, valueOf(vertex));
    max = Math.max(max, valueOf(vertex));
  }
  return [min, max];
}
