/** Formats numbers and units for the page. */

const whole = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });
const fine = new Intl.NumberFormat('en-US', { maximumFractionDigits: 2 });

export function number(value: number): string {
  return fine.format(value);
}

/** Shows tenths below 10 ms. */
export function milliseconds(value: number): string {
  return value < 10 ? fine.format(Math.round(value * 10) / 10) : whole.format(value);
}

/** Uses kilobytes of 1,000 bytes, as the credits do. */
export function bytes(value: number): string {
  if (value < 1000) return `${whole.format(value)} B`;
  return value < 1e6 ? `${fine.format(Math.round(value / 100) / 10)} kB` : `${fine.format(value / 1e6)} MB`;
}

export function pixels({ width, height }: { readonly width: number; readonly height: number }): string {
  return `${fine.format(width)} × ${fine.format(height)} px`;
}

/** Formats inches, followed by millimetres. */
export function inches(...lengths: readonly number[]): string {
  const [imperial, metric] = [
    lengths.map((length) => fine.format(length)),
    lengths.map((length) => fine.format(Math.round(length * 254) / 10)),
  ];
  return `${imperial.join(' × ')} in (${metric.join(' × ')} mm)`;
}
