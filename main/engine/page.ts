/** A loaded page in its window, ready to be printed or captured. */
import type { Source } from '../input/source.ts';
import type { PageRulePaper } from '../job/page-rule-paper.ts';
import type { ContentBox } from './devtools/content-box.ts';
import type { EngineWindow } from './window/engine-window.ts';

export interface Page {
  readonly window: EngineWindow;
  readonly source: Source;
  /** Final width of the layout in CSS pixels. */
  readonly layoutWidth: number;
  /** The paper of the page's own @page rules, if the page is printed on it. */
  readonly ownPaper?: PageRulePaper;
  /** The size of the content in CSS pixels, if the fit mode needs it. */
  readonly contentBox?: ContentBox;
}
