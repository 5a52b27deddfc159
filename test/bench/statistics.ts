/** The few statistics of the benchmark. All take at least one finite number, or throw: a figure made of nothing is none. */

export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** Between the two nearest values; `share` 0 to 1. @throws Error for no values, or one that is no number */
export function quantile(values: readonly number[], share: number): number {
  const sorted = sound(values).toSorted((one, other) => one - other);
  const place = share * (sorted.length - 1);
  const [low, high] = [sorted[Math.floor(place)] ?? NaN, sorted[Math.ceil(place)] ?? NaN];
  return low + (high - low) * (place - Math.floor(place));
}

export interface Spread {
  readonly median: number;
  readonly least: number;
  readonly most: number;
}

export function spreadOf(values: readonly number[]): Spread {
  return { median: median(values), least: Math.min(...values), most: Math.max(...values) };
}

/** The median of what one has for each of what the other has in the same round: what slowed both down does not count. */
export function pairedRatio(values: readonly number[], others: readonly number[]): number {
  return median(paired(values, others).map(([one, other]) => one / other));
}

export function pairedDifference(values: readonly number[], others: readonly number[]): number {
  return median(paired(values, others).map(([one, other]) => one - other));
}

function paired(values: readonly number[], others: readonly number[]): (readonly [number, number])[] {
  if (values.length !== others.length)
    throw new Error(`${values.length} rounds of one and ${others.length} of the other are no pairs`);
  return values.map((value, round) => [value, others[round] ?? NaN]);
}

function sound(values: readonly number[]): readonly number[] {
  if (values.length === 0) throw new Error('nothing was measured');
  if (!values.every(Number.isFinite)) throw new Error(`not all of these are numbers: ${values.join(', ')}`);
  return values;
}
