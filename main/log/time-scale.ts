/** Places on an axis of time, in percent of its length. Pure. */

/** A bar that is over at once is seen nevertheless. */
const thinnest = 0.4;

/** Where a bar lies on an axis `whole` milliseconds long, percent. */
export function placeOf(from: number, to: number, whole: number): { start: number; width: number } {
  const width = Math.max(thinnest, percent(to - from, whole));
  return { start: Math.min(percent(from, whole), 100 - width), width };
}

/** Three to six round numbers (1, 2 or 5 times a power of ten), from 0. */
export function ticks(whole: number): number[] {
  if (whole <= 0) return [0];
  const power = 10 ** Math.floor(Math.log10(whole / 3));
  const step = [5, 2, 1].map((factor) => factor * power).find((size) => whole / size >= 3) ?? power;
  return Array.from({ length: Math.floor((whole / step) * 0.97) + 1 }, (_, index) => index * step);
}

/** Hundredths of it; 0 to 100 whatever comes. */
export function percent(value: number, whole: number): number {
  if (whole <= 0) return 0;
  return Math.round(Math.min(100, Math.max(0, (value / whole) * 100)) * 100) / 100;
}
