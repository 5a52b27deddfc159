/** Formats numbers and units for the page. */

const integerFormat = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });
const decimalFormat = new Intl.NumberFormat('en-US', { maximumFractionDigits: 2 });

export function number(value: number): string {
  return decimalFormat.format(value);
}

/** Shows tenths below 10 ms. */
export function milliseconds(value: number): string {
  return value < 10 ? decimalFormat.format(Math.round(value * 10) / 10) : integerFormat.format(value);
}

/** Uses kilobytes of 1,000 bytes, as the credits do. */
export function bytes(value: number): string {
  if (value < 1000) return `${integerFormat.format(value)} B`;
  return value < 1e6
    ? `${decimalFormat.format(Math.round(value / 100) / 10)} kB`
    : `${decimalFormat.format(value / 1e6)} MB`;
}

export function pixels({ width, height }: { readonly width: number; readonly height: number }): string {
  return `${decimalFormat.format(width)} × ${decimalFormat.format(height)} px`;
}

/** Formats inches, followed by millimetres. */
export function inches(...lengths: readonly number[]): string {
  const [imperial, metric] = [
    lengths.map((length) => decimalFormat.format(length)),
    lengths.map((length) => decimalFormat.format(Math.round(length * 254) / 10)),
  ];
  return `${imperial.join(' × ')} in (${metric.join(' × ')} mm)`;
}
