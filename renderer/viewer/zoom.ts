/** How large sheets are shown: fitted to the window, or by steps. Pure. */
import { margin, type Size } from './layout.ts';

/** As wide as the window, whole in it, or a factor: 1 is 100 %. */
export type Zoom = 'width' | 'page' | number;

/** What can be zoomed to. */
export interface Steps {
  /** Rising. */
  readonly factors: readonly number[];
  /** The most that fitting enlarges. */
  readonly fitMost: number;
}

export const pageSteps: Steps = { factors: [0.5, 0.75, 1, 1.25, 1.5, 2, 3, 4], fitMost: 4 };

/** A picture is never made larger to fit: it would only show less. */
export const pictureSteps: Steps = {
  factors: [0.1, 0.25, 0.5, 0.75, 1, 1.5, 2, 3, 4, 8],
  fitMost: 1,
};

/** Smaller than this nothing is to be seen, however narrow the window. */
const least = 0.05;

/** The factor that a zoom comes to. */
export function scaleOf(zoom: Zoom, { sizes, room, steps }: Fitting): number {
  if (typeof zoom === 'number') return zoom;
  const width = (room.width - 2 * margin) / largest(sizes, 'width');
  if (zoom === 'width') return bounded(width, steps);
  const height = (room.height - 2 * margin) / largest(sizes, 'height');
  return bounded(Math.min(width, height), steps);
}

export interface Fitting {
  readonly sizes: readonly Size[];
  /** The inside of the window, CSS pixels. */
  readonly room: Size;
  readonly steps: Steps;
}

/** The next step up (1) or down (-1) from where it is; the last one stays. */
export function nextStep(scale: number, direction: 1 | -1, { factors }: Steps): number {
  const sorted = direction === 1 ? factors : [...factors].reverse();
  const next = sorted.find((factor) => (factor - scale) * direction > scale * 0.005);
  return next ?? sorted.at(-1) ?? scale;
}

/** By a wheel or two fingers: in small steps, within the same bounds. `delta` as a wheel event has it. */
export function wheelStep(scale: number, delta: number, { factors }: Steps): number {
  const [low, high] = [factors[0] ?? scale, factors.at(-1) ?? scale];
  // A notch of a mouse's wheel is 100 or 120; a touchpad sends a few at a time.
  const wanted = scale * Math.exp(-Math.max(-120, Math.min(120, delta)) / 500);
  const bound = Math.max(Math.min(low, scale), Math.min(high, wanted));
  return Math.round(bound * 1000) / 1000;
}

function bounded(scale: number, { fitMost }: Steps): number {
  return Math.max(least, Math.min(fitMost, scale));
}

function largest(sizes: readonly Size[], side: keyof Size): number {
  return sizes.reduce((most, size) => Math.max(most, size[side]), 1);
}
