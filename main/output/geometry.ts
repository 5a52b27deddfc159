/** Boxes and matrices of pages, in points. Pure. */

/** As in PDF (ISO 32000-1, 8.3.3): x' = a x + c y + e, y' = b x + d y + f, with y upwards. */
export type Matrix = readonly [a: number, b: number, c: number, d: number, e: number, f: number];

/** Points, from the lower left corner of what it lies on. */
export interface Box {
  readonly left: number;
  readonly bottom: number;
  readonly width: number;
  readonly height: number;
}

/** As callers write it: points, y downwards, from the upper left corner of what is transformed. */
export type WireMatrix = readonly [
  scaleX: number,
  skewX: number,
  transX: number,
  skewY: number,
  scaleY: number,
  transY: number,
];

/** First `first`, then `second`. */
export function multiply(first: Matrix, second: Matrix): Matrix {
  const [a, b, c, d, e, f] = first;
  const [A, B, C, D, E, F] = second;
  return [a * A + b * C, a * B + b * D, c * A + d * C, c * B + d * D, e * A + f * C + E, e * B + f * D + F];
}

/** The way back. The matrix must not flatten: only matrices of pages are turned round. */
export function inverse([a, b, c, d, e, f]: Matrix): Matrix {
  const area = a * d - b * c;
  return [d / area, -b / area, -c / area, a / area, (c * f - d * e) / area, (b * e - a * f) / area];
}

/** Turns what lies with its upper left corner at `left` and `top` (y upwards). */
export function transformAt(
  [scaleX, skewX, transX, skewY, scaleY, transY]: WireMatrix,
  left: number,
  top: number,
): Matrix {
  const upwards: Matrix = [scaleX, -skewY, -skewX, scaleY, transX, -transY];
  return multiply(multiply([1, 0, 0, 1, -left, -top], upwards), [1, 0, 0, 1, left, top]);
}

export function movePoint([a, b, c, d, e, f]: Matrix, x: number, y: number): readonly [x: number, y: number] {
  return [a * x + c * y + e, b * x + d * y + f];
}

/** The upright box around a moved one. */
export function moveBox(matrix: Matrix, { left, bottom, width, height }: Box): Box {
  const corners = [
    movePoint(matrix, left, bottom),
    movePoint(matrix, left + width, bottom),
    movePoint(matrix, left, bottom + height),
    movePoint(matrix, left + width, bottom + height),
  ];
  const xs = corners.map(([x]) => x);
  const ys = corners.map(([, y]) => y);
  const [x, y] = [Math.min(...xs), Math.min(...ys)];
  return { left: x, bottom: y, width: Math.max(...xs) - x, height: Math.max(...ys) - y };
}

/** What two boxes share; undefined when they only touch or lie apart. */
export function overlap(one: Box, other: Box): Box | undefined {
  const left = Math.max(one.left, other.left);
  const bottom = Math.max(one.bottom, other.bottom);
  const width = Math.min(one.left + one.width, other.left + other.width) - left;
  const height = Math.min(one.bottom + one.height, other.bottom + other.height) - bottom;
  return width > 0 && height > 0 ? { left, bottom, width, height } : undefined;
}

/** The largest box of this shape inside a sheet, in its middle. */
export function fitInto(sheet: Size, { width, height }: Size): Box {
  return centredIn(sheet, Math.min(sheet.width / width, sheet.height / height), { width, height });
}

/** A size, scaled, in the middle of a sheet. */
export function centredIn(sheet: Size, scale: number, size: Size): Box {
  const [width, height] = [size.width * scale, size.height * scale];
  return { left: (sheet.width - width) / 2, bottom: (sheet.height - height) / 2, width, height };
}

export interface Size {
  readonly width: number;
  readonly height: number;
}
