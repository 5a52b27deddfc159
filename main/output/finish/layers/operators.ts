/** Content operators as text, with numbers as PDF takes them (ISO 32000-1, 7.3.3: no exponents). */
import type { Box, Matrix } from '../../geometry.ts';

export function concat(matrix: Matrix): string {
  return `${matrix.map(real).join(' ')} cm`;
}

export function rectangle({ left, bottom, width, height }: Box): string {
  return `${[left, bottom, width, height].map(real).join(' ')} re`;
}

/** Nothing outside the box is painted, up to the next Q. */
export function clipTo(box: Box): string {
  return `${rectangle(box)} W n`;
}

export function real(value: number): string {
  return String(Number(value.toFixed(6)));
}
