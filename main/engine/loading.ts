/** What every loading step gets. */
import type { Source } from '../input/source.ts';
import type { Layout } from '../job/layout.ts';
import type { WindowRun } from './engine.ts';
import type { ContentBox } from './content-box.ts';
import type { EngineWindow } from './window.ts';

/** What every step gets; steps change only `layoutWidth`, `content` and `written`. */
export interface Loading {
  readonly window: EngineWindow;
  readonly source: Source;
  readonly run: WindowRun;
  readonly layout: Layout;
  layoutWidth: number;
  /** Measured where the fit mode depends on it. */
  content?: ContentBox;
  /** The document was written into an open page, with all its fonts and images or with some still to come. */
  written?: 'whole' | 'in part';
  /** Names of options whose work is not done again when the page goes elsewhere. */
  readonly done: Set<string>;
}

/** What a step has to do; a step that was not asked for has none, and does not stand in the log. */
export type Work = () => Promise<void>;
