/** A loaded page: the window that shows it, ready to be printed or captured. */
import type { EngineWindow } from './window.ts';

export interface Page {
  readonly window: EngineWindow;
  /** Width of the layout in CSS pixels, as it was settled on. */
  readonly layoutWidth: number;
}
