/** What every loading step gets. */
import type { Source } from '../input/source.ts';
import type { Layout } from '../job/layout.ts';
import type { WindowRun } from './engine.ts';
import type { EngineWindow } from './window.ts';

/** What every step gets; `layoutWidth` is the only thing a step changes. */
export interface Loading {
  readonly window: EngineWindow;
  readonly source: Source;
  readonly run: WindowRun;
  readonly layout: Layout;
  layoutWidth: number;
  /** Names of options whose work is not done again when the page goes elsewhere. */
  readonly done: Set<string>;
}
