/** The task of the encoder process, which is passed as JSON. */
import type { ImageFormat } from '../../../job/image-formats.ts';

export interface EncodingTask {
  /** PNG files of the bands from top to bottom. All but the last have the same height. */
  readonly bands: readonly string[];
  /** The folder for the output of the encoder. */
  readonly folder: string;
  /** Size of the whole image in pixels. */
  readonly width: number;
  readonly height: number;
  readonly format: ImageFormat;
  /** 1 to 100, for formats with a quality setting. */
  readonly quality: number;
  /** The bands have transparency, which the output keeps. */
  readonly hasAlpha: boolean;
}
