/** Lengths on paper in words: millimetres first, with the inches the log has. */
import { language } from '../texts/text.ts';

/** Inches in; `210 × 297 mm (8.27 × 11.69 in)` out. */
export function lengths(...inches: readonly number[]): string {
  const written = (values: readonly number[], digits: number) => {
    const format = new Intl.NumberFormat(language.value, { maximumFractionDigits: digits });
    return values.map((value) => format.format(value)).join(' × ');
  };
  const millimetres = inches.map((length) => length * 25.4);
  return `${written(millimetres, 1)} mm (${written(inches, 2)} in)`;
}
