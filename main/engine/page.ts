/** A loaded page: the window that shows it, ready to be printed or captured. */
import type { Source } from '../input/source.ts';
import type { ContentBox } from './content-box.ts';
import type { EngineWindow } from './window.ts';

export interface Page {
  readonly window: EngineWindow;
  readonly source: Source;
  /** Width of the layout in CSS pixels, as it was settled on. */
  readonly layoutWidth: number;
  /** What the content takes, in CSS pixels, where the fit mode depends on it. */
  readonly content?: ContentBox;
}
