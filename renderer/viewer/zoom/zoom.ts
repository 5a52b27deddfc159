/** Zoom levels: fit to the window, or fixed steps. Pure. */
import { margin, type SheetSize } from '../layout.ts';

/** Fit width, fit page, or a factor; 1 is 100 %. */
export type Zoom = 'width' | 'page' | number;

export interface Steps {
  /** Ascending. */
  readonly factors: readonly number[];
  /** The largest factor that fitting may reach. */
  readonly fitMost: number;
}

export const pageSteps: Steps = { factors: [0.5, 0.75, 1, 1.25, 1.5, 2, 3, 4], fitMost: 4 };

/** Fitting never enlarges an image. */
export const pictureSteps: Steps = {
  factors: [0.1, 0.25, 0.5, 0.75, 1, 1.5, 2, 3, 4, 8],
  fitMost: 1,
};

/** The smallest useful factor, however narrow the window. */
const least = 0.05;

/** The scale factor of a zoom. */
export function scaleOf(zoom: Zoom, { sizes, room, steps }: Fitting): number {
  if (typeof zoom === 'number') return zoom;
  const width = (room.width - 2 * margin) / largest(sizes, 'width');
  if (zoom === 'width') return bounded(width, steps);
  const height = (room.height - 2 * margin) / largest(sizes, 'height');
  return bounded(Math.min(width, height), steps);
}

export interface Fitting {
  readonly sizes: readonly SheetSize[];
  /** The inner size of the window in CSS pixels. */
  readonly room: SheetSize;
  readonly steps: Steps;
}

/** The next step up (1) or down (-1). At the last step the zoom does not change. */
export function nextStep(scale: number, direction: 1 | -1, { factors }: Steps): number {
  const sorted = direction === 1 ? factors : [...factors].reverse();
  const next = sorted.find((factor) => (factor - scale) * direction > scale * 0.005);
  return next ?? sorted.at(-1) ?? scale;
}

/** Zooms by wheel or pinch in small steps within the same bounds. `delta` is the `deltaY` of the wheel event. */
export function wheelStep(scale: number, delta: number, { factors }: Steps): number {
  const low = factors[0] ?? scale;
  const high = factors.at(-1) ?? scale;
  // One notch of a mouse wheel is 100 or 120; a touchpad sends small values.
  const newScale = scale * Math.exp(-Math.max(-120, Math.min(120, delta)) / 500);
  const bound = Math.max(Math.min(low, scale), Math.min(high, newScale));
  return Math.round(bound * 1000) / 1000;
}

function bounded(scale: number, { fitMost }: Steps): number {
  return Math.max(least, Math.min(fitMost, scale));
}

function largest(sizes: readonly SheetSize[], side: keyof SheetSize): number {
  return sizes.reduce((most, size) => Math.max(most, size[side]), 1);
}
