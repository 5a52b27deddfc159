/** What the encoder is told. */
import type { ImageFormat } from '../../job/image-formats.ts';

export interface EncodingOrder {
  /** Files that hold the picture as PNG, in bands from the top down; all but the last are equally high. */
  readonly bands: readonly string[];
  /** The encoder's to write in. */
  readonly folder: string;
  /** Pixels of the whole picture. */
  readonly width: number;
  readonly height: number;
  readonly format: ImageFormat;
  /** 1..100, for the formats that have it. */
  readonly quality: number;
  /** The bands hold transparency that is to be kept. */
  readonly alpha: boolean;
}
