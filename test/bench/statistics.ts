/** Statistical functions of the benchmark. */

export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/**
 * Returns a quantile, interpolated between the two nearest values. @param share From 0 to 1.
 * @throws Error if there are no values, or one is not finite
 */
export function quantile(values: readonly number[], share: number): number {
  const sorted = finite(values).toSorted((left, right) => left - right);
  const place = share * (sorted.length - 1);
  const low = sorted[Math.floor(place)] ?? NaN;
  const high = sorted[Math.ceil(place)] ?? NaN;
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

/** Returns the median of the rounds' ratios, so that a round in which both sides are slower does not change the result. */
export function pairedRatio(values: readonly number[], others: readonly number[]): number {
  return median(paired(values, others).map(([value, reference]) => value / reference));
}

export function pairedDifference(values: readonly number[], others: readonly number[]): number {
  return median(paired(values, others).map(([value, reference]) => value - reference));
}

function paired(values: readonly number[], others: readonly number[]): (readonly [number, number])[] {
  if (values.length !== others.length)
    throw new Error(`${values.length} and ${others.length} rounds form no pairs`);
  return values.map((value, round) => [value, others[round] ?? NaN]);
}

function finite(values: readonly number[]): readonly number[] {
  if (values.length === 0) throw new Error('nothing was measured');
  if (!values.every(Number.isFinite)) throw new Error(`not all values are finite: ${values.join(', ')}`);
  return values;
}
