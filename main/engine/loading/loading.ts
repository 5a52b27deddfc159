/** The state that the loading steps share, and what a step returns. */
import type { Source } from '../../input/source.ts';
import type { Layout } from '../../job/layout.ts';
import type { PageRulePaper } from '../../job/page-rule-paper.ts';
import type { WindowRun } from '../window-run.ts';
import type { ContentBox } from '../devtools/content-box.ts';
import type { EngineWindow } from '../window/engine-window.ts';

/** The parameter of every step. Steps change only the properties that are not readonly. */
export interface Loading {
  readonly window: EngineWindow;
  readonly source: Source;
  readonly run: WindowRun;
  layout: Layout;
  layoutWidth: number;
  /** The paper that the page's own @page rules set; undefined if the page is not printed on it. */
  ownPaper?: PageRulePaper | undefined;
  /** The area that the content covers; measured only if the paper size depends on it. */
  contentBox?: ContentBox;
  /** The page still changes: it did not settle within its limit, or it never stops changing, like a clock. */
  stillChanges?: boolean;
  /** The page has animations that follow scrolling (CSS Scroll-driven Animations 1). */
  followsScrolling?: boolean;
  /** Set for an inline document: `partial` if some of its fonts and images are still loading. */
  inlineState?: 'complete' | 'partial';
  /** The script options whose script has run. It does not run again when the page navigates. */
  readonly scriptsRun: Set<string>;
}

/** Does the work of a step. A step that the job does not need returns undefined instead and is not logged. */
export type StepWork = () => Promise<void>;
