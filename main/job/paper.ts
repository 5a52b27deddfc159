/** The paper a job asks for. Pure geometry, in inches. */
import type { Inches } from '../fields/measures.ts';
import type { Options } from './options.ts';
import { paperSizes } from './paper-sizes.ts';

export interface Paper {
  readonly width: Inches;
  readonly height: Inches;
}

/** The paper as it will lie: page_width and page_height beat page_size; landscape lays the longer side down. */
export function paperFor(options: Options): Paper {
  const named = paperSizes[options.page_size];
  const width = options.page_width ?? named.width;
  const height = options.page_height ?? named.height;
  const turned = options.orientation === 'landscape' && height > width;
  return turned ? { width: height, height: width } : { width, height };
}
