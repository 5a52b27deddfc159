/** What the bytes of an output are made of, as shares of the whole. Pure. */
import type { SizesEvent } from '../../main/log/events.ts';

export interface Share {
  readonly what: 'fonts' | 'images' | 'rest';
  readonly bytes: number;
  /** Percent of the whole. */
  readonly share: number;
}

/** Without those that are nothing. */
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
