/** What every loading step gets. */
import type { Source } from '../input/source.ts';
import type { Layout } from '../job/layout.ts';
import type { WindowRun } from './engine.ts';
import type { ContentBox } from './content-box.ts';
import type { EngineWindow } from './window.ts';

/** What every step gets; steps change only `layoutWidth` and `content`. */
export interface Loading {
  readonly window: EngineWindow;
  readonly source: Source;
  readonly run: WindowRun;
  readonly layout: Layout;
  layoutWidth: number;
  /** Measured where the fit mode depends on it. */
  content?: ContentBox;
  /** Names of options whose work is not done again when the page goes elsewhere. */
  readonly done: Set<string>;
}

/** What a step has to do; a step that was not asked for has none, and does not stand in the log. */
export type Work = () => Promise<void>;
