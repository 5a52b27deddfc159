/** The kinds that only options use. */
import type { Kind } from '../fields/kind.ts';

/** Width of the layout in CSS pixels, or `balanced`: the narrowest one at which nothing overflows. */
export type ViewportWidth = number | 'balanced';

export const viewportPresets = { small: 480, medium: 1024, large: 1200 } as const;

export const viewportWidth: Kind<ViewportWidth> = {
  allowed: 'balanced, small (480px), medium (1024px), large (1200px), or 96 to 65000 with or without px',
  schema: {
    type: 'string',
    pattern: '^(balanced|small|medium|large|\\d{2,5}(px)?)$',
    examples: ['medium', '800px', 'balanced'],
  },
  read(text) {
    const word = text.trim().toLowerCase();
    if (word === 'balanced') return 'balanced';
    const preset = Object.entries(viewportPresets).find(([name]) => name === word)?.[1];
    if (preset !== undefined) return preset;
    const match = /^(\d{1,6})(?:\s?px)?$/.exec(word);
    const pixels = Number(match?.[1]);
    return pixels >= 96 && pixels <= 65_000 ? pixels : undefined;
  },
};

/** A language tag (BCP 47) that dates and numbers can be written in. */
export const languageTag: Kind<string> = {
  allowed: 'a language tag such as en-US, de or pt-BR',
  schema: { type: 'string', examples: ['en-US', 'de-DE'] },
  read(text) {
    try {
      return Intl.getCanonicalLocales(text.trim())[0];
    } catch {
      return undefined;
    }
  },
};

/** A file part of the form; its value is the stored upload, which no text can stand for. */
export interface Upload {
  /** Where the part was stored, inside the job's own folder. */
  readonly path: string;
  /** The last component of the name the client gave; for messages only, never for a path. */
  readonly name: string;
  /** Bytes. */
  readonly size: number;
}

export const upload: Kind<Upload> = {
  allowed: 'a file part of a multipart/form-data body',
  schema: { type: 'string', format: 'binary' },
  read: () => undefined,
};
