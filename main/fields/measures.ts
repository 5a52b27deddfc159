/** The kinds with a unit: lengths on paper, durations, sizes in bytes. */
import type { Kind } from './kinds.ts';

/** A length on paper. */
export type Inches = number;

const inchesPer = { pt: 1 / 72, px: 1 / 96, mm: 1 / 25.4, cm: 1 / 2.54, in: 1 } as const;
const lengthPattern = /^\s*(?:(0+(?:\.0+)?)|(\d+|\d*\.\d+)\s?(pt|px|mm|cm|in))\s*$/i;

/** `0`, or a decimal number with a unit; the value is in inches. */
export const length: Kind<Inches> = {
  allowed: '0, or a number with pt, px, mm, cm or in (such as 15mm or .5in)',
  schema: {
    type: 'string',
    pattern: '^(0+(\\.0+)?|(\\d+|\\d*\\.\\d+)(pt|px|mm|cm|in))$',
    examples: ['0.4in', '15mm'],
  },
  read(text) {
    const match = lengthPattern.exec(text);
    if (match === null) return undefined;
    if (match[1] !== undefined) return 0;
    const inches = Number(match[2]) * inchesPer[(match[3] ?? 'in').toLowerCase() as keyof typeof inchesPer];
    return Number.isFinite(inches) ? inches : undefined;
  },
};

/** A duration in seconds (`90`, `90s`, `2m`, `500ms`, `1h`); the value is in milliseconds. */
export const duration: Kind<number> = {
  allowed: 'a number of seconds, or a number with ms, s, m or h (such as 90s or 2m)',
  schema: { type: 'string', pattern: '^\\d+(\\.\\d+)?(ms|s|m|h)?$' },
  read: (text) => readQuantity(text, { ms: 1, s: 1000, m: 60_000, h: 3_600_000 }, 's'),
};

/** A duration for a timer: at most 24 days, because Node's timers fire immediately beyond 2^31 ms. */
export const timeLimit: Kind<number> = {
  ...duration,
  allowed: `${duration.allowed}, at most 24 days`,
  read(text) {
    const value = duration.read(text);
    return value !== undefined && value <= 24 * 24 * 3_600_000 ? value : undefined;
  },
};

/** A size in megabytes of 1,000,000 bytes (`300`, `500kB`, `1GB`); the value is in bytes. */
export const megabytes: Kind<number> = {
  allowed: 'a number of megabytes, or a number with B, kB, MB or GB (such as 500kB or 1GB)',
  schema: { type: 'string', pattern: '^\\d+(\\.\\d+)?([kMG]?B)?$' },
  read: (text) => readQuantity(text, { b: 1, kb: 1e3, mb: 1e6, gb: 1e9 }, 'mb'),
};

function readQuantity(
  text: string,
  units: Readonly<Record<string, number>>,
  defaultUnit: string,
): number | undefined {
  const match = /^\s*(\d+(?:\.\d+)?)\s?([a-z]*)\s*$/i.exec(text);
  if (match === null) return undefined;
  const factor = units[(match[2] ?? '') === '' ? defaultUnit : (match[2] ?? '').toLowerCase()];
  const value = factor === undefined ? 0 : Math.round(Number(match[1]) * factor);
  return value > 0 && Number.isSafeInteger(value) ? value : undefined;
}
