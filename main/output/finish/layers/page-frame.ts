/** A page as a reader sees it: cropped, turned, in points from its lower left corner. */
import type { PDFArray } from '@cantoo/pdf-lib';
import { PDFName, PDFNumber, type PDFPage } from '@cantoo/pdf-lib';
import { overlap, type Box, type Matrix, type Size } from '../../geometry.ts';

export interface PageFrame extends Size {
  /** From the page's user space to what is seen. */
  readonly fromUser: Matrix;
  /** The part of the user space that is seen. */
  readonly box: Box;
}

/** CropBox, Rotate and UserUnit are minded (ISO 32000-1, 7.7.3.3 and 14.11.2). @throws Error when the page has no size. */
export function frameOf({ node }: PDFPage): PageFrame {
  const media = boxOf(node.MediaBox());
  const crop = node.CropBox();
  const box = crop === undefined ? media : (overlap(boxOf(crop), media) ?? media);
  if (!(box.width > 0 && box.height > 0)) throw new Error('The page has no size.');
  const unit = node.lookup(PDFName.of('UserUnit'));
  const scale = unit instanceof PDFNumber && unit.asNumber() > 0 ? unit.asNumber() : 1;
  const turn = (((node.Rotate()?.asNumber() ?? 0) % 360) + 360) % 360;
  const [width, height] = [box.width * scale, box.height * scale];
  const size = turn % 180 === 90 ? { width: height, height: width } : { width, height };
  const [a, b, c, d, e, f] = turned(box, turn);
  return { ...size, box, fromUser: [a * scale, b * scale, c * scale, d * scale, e * scale, f * scale] };
}

/** Clockwise by quarters; a turn that is none is ignored, as readers do. */
function turned({ left, bottom, width, height }: Box, turn: number): Matrix {
  const [right, top] = [left + width, bottom + height];
  if (turn === 90) return [0, -1, 1, 0, -bottom, right];
  if (turn === 180) return [-1, 0, 0, -1, right, top];
  if (turn === 270) return [0, 1, -1, 0, top, -left];
  return [1, 0, 0, 1, -left, -bottom];
}

/** Any two opposite corners, in any order (ISO 32000-1, 7.9.5). */
export function boxOf(rectangle: PDFArray): Box {
  const [x1, y1, x2, y2] = [0, 1, 2, 3].map((index) => rectangle.lookup(index, PDFNumber).asNumber()) as [
    number,
    number,
    number,
    number,
  ];
  const [left, bottom] = [Math.min(x1, x2), Math.min(y1, y2)];
  return { left, bottom, width: Math.abs(x2 - x1), height: Math.abs(y2 - y1) };
}
