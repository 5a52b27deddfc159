/** Formats lengths on paper; the log has inches. */
import { language } from '../../texts/text.ts';

/** Millimetres first, inches for callers who use them: `210 × 297 mm (8.27 × 11.69 in)`. */
export function lengths(...inches: readonly number[]): string {
  return `${millimetres(...inches)} (${written(inches, 2)} in)`;
}

/** `10.2 mm`. */
export function millimetres(...inches: readonly number[]): string {
  const metric = inches.map((length) => length * 25.4);
  return `${written(metric, 1)} mm`;
}

function written(values: readonly number[], digits: number): string {
  const format = new Intl.NumberFormat(language.value, { maximumFractionDigits: digits });
  return values.map((value) => format.format(value)).join(' × ');
}
