/** The task of the encoder process, which receives it as JSON. */
import type { ImageFormat } from '../../../job/image-formats.ts';

export interface EncodingTask {
  /** Paths of the PNG files of the bands, from top to bottom. All but the last have the same height. */
  readonly bands: readonly string[];
  /** The folder for the output of the encoder. */
  readonly folder: string;
  /** Width of the whole image in pixels. */
  readonly width: number;
  /** Height of the whole image in pixels. */
  readonly height: number;
  readonly format: ImageFormat;
  /** Quality from 1 to 100. Only JPEG, WebP and AVIF use it. */
  readonly quality: number;
  /** Whether the bands have transparency. Formats that support transparency keep it. */
  readonly hasAlpha: boolean;
}
