/** Draws gradients as lattices of triangles (shading type 5; ISO 32000-1, 8.7.4.5.6), whose colours change linearly. */
import type { Box } from '../../geometry.ts';
import type { Circles, ColourBand, Gradient } from './gradient.ts';

export interface Vertex {
  readonly x: number;
  readonly y: number;
  /** The index of a colour of the gradient; a fraction between two colours. */
  readonly colour: number;
}

/** All rows have the same number of vertices. Each cell between two rows is painted. */
export type Lattice = readonly (readonly Vertex[])[];

interface MeshOptions {
  /** The area to cover. */
  readonly area: Box;
  /** The number of points in a unit of the area. */
  readonly scale: number;
  readonly maxVertices: number;
}

/** The largest distance between a circle and its polygon in points. */
const maxSagitta = 0.03;
/** The largest difference of a colour between two rays of a conic gradient, because a triangle has one colour at the centre. */
const maxColourStep = 3 / 255;
const maxAngleStep = Math.PI / 12;

/** Returns the mesh of a gradient; undefined if it needs more vertices. */
export function gradientMesh(gradient: Gradient, options: MeshOptions): Lattice | undefined {
  const { shape } = gradient;
  if (shape.kind === 'linear') return linearMesh(gradient, options);
  if (shape.kind === 'sweep') return sweepMesh(gradient, options);
  return circlesMesh(gradient, shape, options);
}

function linearMesh(gradient: Gradient, { area, maxVertices }: MeshOptions): Lattice | undefined {
  const { left, bottom, width, height } = area;
  const rows = rowsBetween(gradient, { from: left, to: left + width, maxRows: maxVertices / 2 });
  return rows?.map(({ position: x, colour }) => [
    { x, y: bottom, colour },
    { x, y: bottom + height, colour },
  ]);
}

/** Begins at an angle at which pdf.js leaves no gap. */
const wholeCircle = { from: 0.1, to: 0.1 + 2 * Math.PI };

function circlesMesh(
  gradient: Gradient,
  shape: Circles,
  { area, scale, maxVertices }: MeshOptions,
): Lattice | undefined {
  const { radius, grows, movesX, movesY } = shape;
  // At this position the radius is 0.
  const apex = -radius / grows;
  const centre = { x: apex * movesX, y: apex * movesY };
  const positions = cornersOf(area).map((corner) => positionOn(shape, corner));
  const contains = isInside(area, centre) || movesX !== 0 || movesY !== 0;
  const nearest = nearestPoint(area, centre);
  const first = contains ? apex : positionOn(shape, nearest);
  const from = Math.min(first, ...positions);
  const to = Math.max(first, ...positions);
  const largestRadius = Math.abs(grows) * (to - from) + Math.abs(radius + grows * (grows > 0 ? from : to));
  const step = 2 * Math.acos(1 - Math.min(1, maxSagitta / (largestRadius * scale)));
  const sector = contains ? wholeCircle : sectorOf(area, centre);
  const columns = Math.max(2, Math.ceil((sector.to - sector.from) / Math.min(step, maxAngleStep)));
  const rows = rowsBetween(gradient, { from, to, maxRows: maxVertices / (columns + 1) });
  const angles = Array.from(
    { length: columns + 1 },
    (_, index) => sector.from + ((sector.to - sector.from) * index) / columns,
  );
  return rows?.map(({ position, colour }) =>
    angles.map((angle) => ({
      x: position * movesX + (radius + position * grows) * Math.cos(angle),
      y: position * movesY + (radius + position * grows) * Math.sin(angle),
      colour,
    })),
  );
}

/** Returns the position of the only circle through a point: the solution of |point - position * moves| = radius + position * grows. */
function positionOn(
  { radius, grows, movesX, movesY }: Circles,
  { x, y }: { readonly x: number; readonly y: number },
): number {
  const a = movesX * movesX + movesY * movesY - grows * grows;
  const b = -2 * (movesX * x + movesY * y + radius * grows);
  const c = x * x + y * y - radius * radius;
  const root = Math.sqrt(Math.max(0, b * b - 4 * a * c));
  const solutions = [(-b + root) / (2 * a), (-b - root) / (2 * a)];
  return solutions.find((position) => radius + position * grows >= 0) ?? -radius / grows;
}

/** Rays from the centre to the border of the area. */
function sweepMesh(gradient: Gradient, { area, maxVertices }: MeshOptions): Lattice | undefined {
  const origin = { x: 0, y: 0 };
  const whole = including(area, origin);
  const sector = isInside(area, origin) ? { from: 0, to: 2 * Math.PI } : sectorOf(area, origin);
  const turn = 2 * Math.PI;
  const corners = cornersOf(whole).map(({ x, y }) => Math.atan2(y, x) / turn);
  const rows = rowsBetween(gradient, {
    from: sector.from / turn,
    to: sector.to / turn,
    maxRows: maxVertices / 2,
    corners,
  });
  return rows?.map(({ position, colour }) => [
    { ...origin, colour },
    { ...borderAt(whole, position * turn), colour },
  ]);
}

/** Returns the point at which a ray from the origin leaves a box that contains the origin. */
function borderAt({ left, bottom, width, height }: Box, angle: number): { x: number; y: number } {
  const dx = Math.cos(angle);
  const dy = Math.sin(angle);
  const byX = dx === 0 ? Infinity : (dx > 0 ? left + width : left) / dx;
  const byY = dy === 0 ? Infinity : (dy > 0 ? bottom + height : bottom) / dy;
  const length = Math.min(byX, byY);
  return { x: dx * length, y: dy * length };
}

interface MeshRow {
  readonly position: number;
  readonly colour: number;
}

interface RowOptions {
  readonly from: number;
  readonly to: number;
  readonly maxRows: number;
  /** Positions at which the rays of a conic gradient meet corners. With them, the rows are also close to each other. */
  readonly corners?: readonly number[];
}

/**
 * Returns the positions at which the colour or its change differs, in order; two rows at a position where the colour jumps. Returns
 * undefined if there are more than `maxRows`.
 */
function rowsBetween(gradient: Gradient, { from, to, maxRows, corners }: RowOptions): MeshRow[] | undefined {
  const rows: MeshRow[] = [];
  const periods = Math.ceil(to) - Math.floor(from);
  if (!(periods * gradient.bands.length <= maxRows)) return undefined;
  for (let period = Math.floor(from); period < to; period += 1) {
    for (const band of bandsOf(gradient, period)) {
      const start = Math.max(from, band.from);
      const end = Math.min(to, band.to);
      if (start >= end) continue;
      const between = corners === undefined ? [] : raysIn(gradient, band, { start, end, corners });
      for (const position of [start, ...between, end]) addRow(rows, band, position);
      if (rows.length > maxRows) return undefined;
    }
  }
  return rows.length > 1 ? rows : undefined;
}

/** Returns the bands of a repetition of the gradient, in order. */
function bandsOf({ bands, isMirrored }: Gradient, period: number): ColourBand[] {
  const isReversed = isMirrored && period % 2 !== 0;
  if (!isReversed) return bands.map((band) => ({ ...band, from: period + band.from, to: period + band.to }));
  return bands
    .map(({ from, to, start, end }) => ({
      from: period + 1 - to,
      to: period + 1 - from,
      start: end,
      end: start,
    }))
    .reverse();
}

interface RaySector {
  readonly start: number;
  readonly end: number;
  readonly corners: readonly number[];
}

function raysIn({ colours }: Gradient, band: ColourBand, { start, end, corners }: RaySector): number[] {
  const last = colours[band.end] ?? [];
  const changes = (colours[band.start] ?? []).map((value, index) => Math.abs(value - (last[index] ?? 0)));
  const change = (Math.max(...changes) * (end - start)) / (band.to - band.from);
  const steps = Math.ceil(Math.max(change / maxColourStep, ((end - start) * 2 * Math.PI) / maxAngleStep));
  const even = Array.from({ length: steps - 1 }, (_, index) => start + ((end - start) * (index + 1)) / steps);
  const turns = [Math.floor(start), Math.floor(start) + 1];
  const atCorners = corners
    .flatMap((corner) => turns.map((turn) => turn + corner - Math.floor(corner)))
    .filter((position) => position > start && position < end);
  return [...even, ...atCorners].sort((left, right) => left - right);
}

/** Adds a row, unless it equals the last one. */
function addRow(rows: MeshRow[], { from, to, start, end }: ColourBand, position: number): void {
  const colour = start + ((position - from) / (to - from)) * (end - start);
  const last = rows.at(-1);
  if (last?.position !== position || last.colour !== colour) rows.push({ position, colour });
}

interface Point {
  readonly x: number;
  readonly y: number;
}

function cornersOf({ left, bottom, width, height }: Box): readonly Point[] {
  return [
    { x: left, y: bottom },
    { x: left + width, y: bottom },
    { x: left + width, y: bottom + height },
    { x: left, y: bottom + height },
  ];
}

function nearestPoint({ left, bottom, width, height }: Box, { x, y }: Point): Point {
  return {
    x: Math.min(Math.max(x, left), left + width),
    y: Math.min(Math.max(y, bottom), bottom + height),
  };
}

function isInside(area: Box, point: Point): boolean {
  const { x, y } = nearestPoint(area, point);
  return x === point.x && y === point.y;
}

/** Returns the smallest box that contains a box and a point. */
function including({ left, bottom, width, height }: Box, { x, y }: Point): Box {
  const newLeft = Math.min(left, x);
  const newBottom = Math.min(bottom, y);
  return {
    left: newLeft,
    bottom: newBottom,
    width: Math.max(left + width, x) - newLeft,
    height: Math.max(bottom + height, y) - newBottom,
  };
}

/** Returns the angles between which a box lies, as seen from a point outside it. */
function sectorOf(area: Box, { x, y }: Point): { from: number; to: number } {
  const middle = Math.atan2(area.bottom + area.height / 2 - y, area.left + area.width / 2 - x);
  const offsets = cornersOf(area).map((corner) => {
    const offset = Math.atan2(corner.y - y, corner.x - x) - middle;
    return offset - 2 * Math.PI * Math.round(offset / (2 * Math.PI));
  });
  return { from: middle + Math.min(...offsets), to: middle + Math.max(...offsets) };
}
