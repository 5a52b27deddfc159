/** What the comparison needs to know about a document: its pages as pixels, its words and its fonts. */
import type { PixelData } from './pixels.ts';

/** Pages count from 1. */
export interface ComparableDocument {
  readonly pages: number;
  /** The scale at which a reader sees every detail: pixels per unit of `sizeOf`. */
  readonly preferredScale: number;
  /** Returns the size of a page, in points for a PDF and in pixels for an image. @throws Error if the page has no size */
  readonly sizeOf: (page: number) => Promise<DrawnSize>;
  /** @throws Error if the page cannot be drawn */
  readonly draw: (page: number, scale: number) => Promise<PixelData>;
  /** Returns the words and fonts of a page; none for an image. @throws Error if the page cannot be read */
  readonly textOf: (page: number) => Promise<PageTextAndFonts>;
  /** Frees the memory of the document. */
  readonly close: () => void;
}

export interface DrawnSize {
  readonly width: number;
  readonly height: number;
}

export interface PageTextAndFonts {
  /** In reading order, as far as it is known. */
  readonly words: readonly PositionedWord[];
  readonly fonts: readonly UsedFont[];
}

export interface TextPosition {
  readonly page: number;
  /** In points, from the upper left corner of the page as displayed. */
  readonly x: number;
  readonly y: number;
}

/** A word, with the position of the origin of its first character, which is on the baseline. */
export interface PositionedWord extends TextPosition {
  readonly text: string;
}

/** A font in which a document shows text. */
export interface UsedFont {
  /** The PostScript name without the prefix of a subset, such as `ABCDEF+`. */
  readonly name: string;
  /** Without embedding, each reader substitutes a font of its system. */
  readonly isEmbedded: boolean;
}
