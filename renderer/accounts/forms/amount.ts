/** Parses numbers as people type them: `20000`, `20,000`, `20.000`, `20 000`. Pure functions. */

/** The largest amount that the form accepts. */
const maxAmount = 999_999_999_999;

/**
 * Returns the whole number from 0 to `maxAmount` in a string; undefined for any other text. Separators must group thousands, so
 * that `1.5` is not read as 15.
 */
export function readAmount(text: string): number | undefined {
  const trimmed = text.trim();
  if (!/^(\d+|\d{1,3}([,.'’\s]\d{3})+)$/.test(trimmed)) return undefined;
  const separators = new Set(trimmed.match(/\D/g));
  const value = Number(trimmed.replaceAll(/\D/g, ''));
  return separators.size <= 1 && value <= maxAmount ? value : undefined;
}

/** Returns the amount in a string, which may have a sign, such as `-500`; undefined for any other text. */
export function readDifference(text: string): number | undefined {
  const written = text.trim();
  const [sign = ''] = /^[+\-−]?/u.exec(written) ?? [];
  const value = readAmount(written.slice(sign.length));
  if (value === undefined) return undefined;
  return sign === '' || sign === '+' ? value : 0 - value;
}
