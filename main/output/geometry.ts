/** Geometry of pages: boxes and matrices, in points. All functions are pure. */

export const pointsPerInch = 72;

/** A matrix as in PDF (ISO 32000-1, 8.3.3): x' = a x + c y + e, y' = b x + d y + f. The y axis points up. */
export type Matrix = readonly [a: number, b: number, c: number, d: number, e: number, f: number];

/** In points, from the lower left corner of the page or form. */
export interface Box {
  readonly left: number;
  readonly bottom: number;
  readonly width: number;
  readonly height: number;
}

/** A matrix as in the API: in points, from the upper left corner of the transformed content. The y axis points down. */
export type ApiMatrix = readonly [
  scaleX: number,
  skewX: number,
  transX: number,
  skewY: number,
  scaleY: number,
  transY: number,
];

/** Returns the matrix of the operands of `cm`; missing operands are those of the identity. */
export function matrixOf([a = 1, b = 0, c = 0, d = 1, e = 0, f = 0]: readonly number[]): Matrix {
  return [a, b, c, d, e, f];
}

/** Returns the matrix that applies `first`, then `second`. */
export function multiply(first: Matrix, second: Matrix): Matrix {
  const [a, b, c, d, e, f] = first;
  const [A, B, C, D, E, F] = second;
  return [a * A + b * C, a * B + b * D, c * A + d * C, c * B + d * D, e * A + f * C + E, e * B + f * D + F];
}

/** Returns the inverse. The determinant must not be 0, which is true of the matrices of pages. */
export function inverse([a, b, c, d, e, f]: Matrix): Matrix {
  const area = a * d - b * c;
  return [d / area, -b / area, -c / area, a / area, (c * f - d * e) / area, (b * e - a * f) / area];
}

/** Converts an API matrix to a PDF matrix, for content whose upper left corner is at (`left`, `top`) in PDF coordinates. */
export function transformAt(
  [scaleX, skewX, transX, skewY, scaleY, transY]: ApiMatrix,
  left: number,
  top: number,
): Matrix {
  const upwards: Matrix = [scaleX, -skewY, -skewX, scaleY, transX, -transY];
  return multiply(multiply([1, 0, 0, 1, -left, -top], upwards), [1, 0, 0, 1, left, top]);
}

export function transformPoint(
  [a, b, c, d, e, f]: Matrix,
  x: number,
  y: number,
): readonly [x: number, y: number] {
  return [a * x + c * y + e, b * x + d * y + f];
}

/** Returns the bounding box of a transformed box. */
export function transformBox(matrix: Matrix, { left, bottom, width, height }: Box): Box {
  const corners = [
    transformPoint(matrix, left, bottom),
    transformPoint(matrix, left + width, bottom),
    transformPoint(matrix, left, bottom + height),
    transformPoint(matrix, left + width, bottom + height),
  ];
  const xs = corners.map(([x]) => x);
  const ys = corners.map(([, y]) => y);
  const x = Math.min(...xs);
  const y = Math.min(...ys);
  return { left: x, bottom: y, width: Math.max(...xs) - x, height: Math.max(...ys) - y };
}

/** Returns the intersection of two boxes, or undefined if its area is 0. */
export function overlap(first: Box, second: Box): Box | undefined {
  const left = Math.max(first.left, second.left);
  const bottom = Math.max(first.bottom, second.bottom);
  const width = Math.min(first.left + first.width, second.left + second.width) - left;
  const height = Math.min(first.bottom + first.height, second.bottom + second.height) - bottom;
  return width > 0 && height > 0 ? { left, bottom, width, height } : undefined;
}

/** Returns the smallest box that contains both boxes. */
export function union(first: Box | undefined, second: Box): Box {
  if (first === undefined) return second;
  const left = Math.min(first.left, second.left);
  const bottom = Math.min(first.bottom, second.bottom);
  return {
    left,
    bottom,
    width: Math.max(first.left + first.width, second.left + second.width) - left,
    height: Math.max(first.bottom + first.height, second.bottom + second.height) - bottom,
  };
}

/** Returns the largest centred box with these proportions that fits the sheet. */
export function fitInto(sheet: Size, { width, height }: Size): Box {
  return centreIn(sheet, Math.min(sheet.width / width, sheet.height / height), { width, height });
}

/** Returns the box of a scaled size, centred on the sheet. */
export function centreIn(sheet: Size, scale: number, size: Size): Box {
  const width = size.width * scale;
  const height = size.height * scale;
  return { left: (sheet.width - width) / 2, bottom: (sheet.height - height) / 2, width, height };
}

export interface Size {
  readonly width: number;
  readonly height: number;
}
