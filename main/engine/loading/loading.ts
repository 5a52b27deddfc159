/** The state that the loading steps share, and what a step returns. */
import type { Source } from '../../input/source.ts';
import type { Layout } from '../../job/layout.ts';
import type { PageRulePaper } from '../../job/page-rule-paper.ts';
import type { WindowRun } from '../window-run.ts';
import type { ContentBox } from '../devtools/content-box.ts';
import type { EngineWindow } from '../window/engine-window.ts';
import { Failure, shortened } from '../../failure/failure.ts';

/** The parameter of every step. Steps change only the properties that are not readonly. */
export interface Loading {
  readonly window: EngineWindow;
  readonly source: Source;
  readonly run: WindowRun;
  layout: Layout;
  layoutWidth: number;
  /** The paper of the page's own @page rules, if the page is printed on it. */
  ownPaper?: PageRulePaper | undefined;
  /** Measured only if the fit mode depends on it. */
  contentBox?: ContentBox;
  /** The page has settled but still changes, for example because it shows a clock. */
  isActive?: boolean;
  /** Set for an inline document: `partial` if some of its fonts and images are still loading. */
  inlineState?: 'complete' | 'partial';
  /** Names of options whose work is not repeated when the page navigates. */
  readonly done: Set<string>;
}

/** The work of a step. A step that the job does not need has none, and does not appear in the log. */
export type StepWork = () => Promise<void>;

/** Returns the Failure for an option whose value is not a valid CSS selector list. Only the page's CSS parser can check that. */
export function invalidSelectors(option: 'wait_for_element' | 'element_to_convert', value: string): Failure {
  return new Failure(
    'valueNotAllowed',
    `The value '${shortened(value)}' of ${option} is not allowed; allowed: a list of CSS selectors.`,
  );
}
