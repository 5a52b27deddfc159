/** Gradients and tilings of a page whose content is moved. */
import {
  PDFArray,
  PDFDict,
  PDFName,
  PDFNumber,
  PDFStream,
  type PDFObject,
  type PDFPage,
} from '@cantoo/pdf-lib';
import { multiply, type Matrix } from '../../geometry.ts';

/**
 * Patterns keep to the space of the page itself, whatever transform its content begins with (ISO 32000-1, 8.7.3.1), so each
 * gets a moved copy. Those inside forms move with their form. `moved` remembers copies for pages moved the same way.
 */
export function movePatterns(page: PDFPage, matrix: Matrix, moved: Map<string, PDFObject>): void {
  const { node, doc } = page;
  const resources = node.Resources();
  const patterns = resources?.lookupMaybe(PDFName.of('Pattern'), PDFDict);
  if (resources === undefined || patterns === undefined) return;
  const copies = doc.context.obj({});
  for (const [name, pattern] of patterns.entries()) {
    const key = `${pattern.toString()} ${matrix.join(' ')}`;
    const copy = moved.get(key) ?? movedPattern(page, pattern, matrix);
    moved.set(key, copy);
    copies.set(name, copy);
  }
  const own = resources.clone();
  own.set(PDFName.of('Pattern'), copies);
  node.set(PDFName.of('Resources'), own);
}

function movedPattern({ doc }: PDFPage, pattern: PDFObject, matrix: Matrix): PDFObject {
  const found = doc.context.lookup(pattern);
  if (!(found instanceof PDFDict || found instanceof PDFStream)) return pattern;
  const copy = found.clone();
  const dict = copy instanceof PDFStream ? copy.dict : copy;
  dict.set(PDFName.of('Matrix'), doc.context.obj([...multiply(matrixOf(dict), matrix)]));
  return doc.context.register(copy);
}

function matrixOf(dict: PDFDict): Matrix {
  const entry = dict.lookup(PDFName.of('Matrix'));
  if (!(entry instanceof PDFArray) || entry.size() !== 6) return [1, 0, 0, 1, 0, 0];
  const numbers = entry.asArray().map((number) => (number instanceof PDFNumber ? number.asNumber() : 0));
  const [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0] = numbers;
  return [a, b, c, d, e, f];
}
