/** Zoom levels: fit to the viewport, or fixed steps. Pure functions. */
import { margin, type SheetSize } from '../layout.ts';

/** Fit width, fit page, or a factor; 1 is 100 %. */
export type Zoom = 'width' | 'page' | number;

export interface ZoomSteps {
  /** In ascending order. */
  readonly factors: readonly number[];
  /** The largest factor that fitting may reach. */
  readonly maxFit: number;
}

export const pageSteps: ZoomSteps = { factors: [0.5, 0.75, 1, 1.25, 1.5, 2, 3, 4], maxFit: 4 };

/** Fitting never enlarges an image. */
export const imageSteps: ZoomSteps = {
  factors: [0.1, 0.25, 0.5, 0.75, 1, 1.5, 2, 3, 4, 8],
  maxFit: 1,
};

/** The smallest factor that fitting may reach, even in a very narrow viewport. */
const minScale = 0.05;

/** Returns the scale factor of a zoom. */
export function scaleOf(zoom: Zoom, { sizes, viewport, steps }: ZoomContext): number {
  if (typeof zoom === 'number') return zoom;
  const width = (viewport.width - 2 * margin) / largest(sizes, 'width');
  if (zoom === 'width') return bounded(width, steps);
  const height = (viewport.height - 2 * margin) / largest(sizes, 'height');
  return bounded(Math.min(width, height), steps);
}

interface ZoomContext {
  readonly sizes: readonly SheetSize[];
  /** The inner size of the scroll container in CSS pixels. */
  readonly viewport: SheetSize;
  readonly steps: ZoomSteps;
}

/** Returns the next step up (1) or down (-1). At the last step, returns the same step. */
export function nextStep(scale: number, direction: 1 | -1, { factors }: ZoomSteps): number {
  const sorted = direction === 1 ? factors : [...factors].reverse();
  const next = sorted.find((factor) => (factor - scale) * direction > scale * 0.005);
  return next ?? sorted.at(-1) ?? scale;
}

/** Returns the scale after a wheel or pinch event, within the bounds of the steps. `delta` is the `deltaY` of the event. */
export function wheelStep(scale: number, delta: number, { factors }: ZoomSteps): number {
  const low = factors[0] ?? scale;
  const high = factors.at(-1) ?? scale;
  // One notch of a mouse wheel is 100 or 120; a touchpad sends small values.
  const newScale = scale * Math.exp(-Math.max(-120, Math.min(120, delta)) / 500);
  const bound = Math.max(Math.min(low, scale), Math.min(high, newScale));
  return Math.round(bound * 1000) / 1000;
}

function bounded(scale: number, { maxFit }: ZoomSteps): number {
  return Math.max(minScale, Math.min(maxFit, scale));
}

function largest(sizes: readonly SheetSize[], side: keyof SheetSize): number {
  return sizes.reduce((most, size) => Math.max(most, size[side]), 1);
}
