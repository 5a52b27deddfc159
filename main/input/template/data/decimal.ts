/** Compares decimal numbers as they are written, because a double keeps only about 16 digits. */

/** A decimal number: `digits` without zeros at both ends (empty for zero), times ten to the power of `exponent`. */
interface Decimal {
  readonly isNegative: boolean;
  readonly digits: string;
  readonly exponent: number;
}

const pattern = /^([-+]?)(\d*)(?:\.(\d*))?(?:e([-+]?\d+))?$/i;

/** Returns the number, or undefined if the text is not a decimal number. */
function decimalOf(text: string): Decimal | undefined {
  const match = pattern.exec(text.trim());
  if (match === null) return undefined;
  const [, sign, whole = '', fraction = '', power = '0'] = match;
  if (whole === '' && fraction === '') return undefined;
  const significant = (whole + fraction).replace(/^0+/, '');
  let end = significant.length;
  while (significant[end - 1] === '0') end -= 1;
  const digits = significant.slice(0, end);
  const exponent = Number(power) - fraction.length + significant.length - end;
  return { isNegative: sign === '-' && digits !== '', digits, exponent: digits === '' ? 0 : exponent };
}

/** Returns whether the text is a decimal number. */
export function isDecimal(text: string): boolean {
  return decimalOf(text) !== undefined;
}

/** Returns whether a double keeps all digits of the number in the text. True for text that is not a decimal number. */
export function fitsDouble(text: string): boolean {
  const written = decimalOf(text);
  // A double keeps any 15 digits.
  if (written === undefined || (written.digits.length <= 15 && Math.abs(written.exponent) < 290)) return true;
  return compareDecimals(text, String(Number(text))) === 0;
}

/** Returns a negative number, zero or a positive number; undefined if a text is not a decimal number. */
export function compareDecimals(first: string, second: string): number | undefined {
  const left = decimalOf(first);
  const right = decimalOf(second);
  if (left === undefined || right === undefined) return undefined;
  if (left.isNegative !== right.isNegative) return left.isNegative ? -1 : 1;
  const magnitude = compareMagnitudes(left, right);
  return left.isNegative ? -magnitude : magnitude;
}

function compareMagnitudes(left: Decimal, right: Decimal): number {
  if (left.digits === '' || right.digits === '') return left.digits.length - right.digits.length;
  const places = left.digits.length + left.exponent - (right.digits.length + right.exponent);
  if (places !== 0) return places;
  // Digits without zeros at the end compare like fractions.
  return left.digits < right.digits ? -1 : left.digits > right.digits ? 1 : 0;
}
