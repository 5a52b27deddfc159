/** The composition of an output's bytes, as shares of the total. Pure. */
import type { SizesEvent } from '../../../main/log/events.ts';

export interface Share {
  readonly what: 'fonts' | 'images' | 'rest';
  readonly bytes: number;
  /** Percent of the total. */
  readonly share: number;
}

/** Omits empty shares. */
export function sharesOf({ fonts, images, rest, total }: SizesEvent['detail']): Share[] {
  if (total <= 0) return [];
  const parts = [
    { what: 'fonts', bytes: fonts },
    { what: 'images', bytes: images },
    { what: 'rest', bytes: rest },
  ] as const;
  return parts
    .filter(({ bytes }) => bytes > 0)
    .map((part) => ({ ...part, share: (part.bytes / total) * 100 }));
}
