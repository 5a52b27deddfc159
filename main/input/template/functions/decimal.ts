/**
 * Arithmetic as a cashier does it. Doubles hold 15 decimal digits exactly; cutting every result there makes 0.1 + 0.2 be
 * 0.3, without a decimal library.
 */
import { TemplateProblem } from '../problem.ts';

export function exact(value: number): number {
  if (!Number.isFinite(value)) throw new TemplateProblem('the result is not a finite number');
  return Number.isInteger(value) ? value : Number(value.toPrecision(15));
}

export function divide(one: number, other: number): number {
  if (other === 0) throw new TemplateProblem('division by zero');
  return exact(one / other);
}

/** The remainder with the sign of the divisor, as in Python and on a clock. */
export function modulo(one: number, other: number): number {
  if (other === 0) throw new TemplateProblem('division by zero');
  return exact(one - other * Math.floor(exact(one / other)));
}

/** Half away from zero at a decimal place: 1.005 to two places is 1.01, whatever its double is. */
export function roundTo(value: number, digits: number, way: (value: number) => number = Math.round): number {
  if (!Number.isFinite(value)) return value;
  const places = Math.max(-20, Math.min(20, digits));
  if (way === Math.round && value < 0) return -roundTo(-value, places);
  return shifted(way(exact(shifted(value, places))), -places);
}

/** Moves the decimal point in the decimal notation, where nothing is lost. */
function shifted(value: number, places: number): number {
  const [digits = '0', exponent = '0'] = value.toExponential().split('e');
  return Number(`${digits}e${Number(exponent) + places}`);
}
