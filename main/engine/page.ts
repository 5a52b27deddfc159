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
  /** The paper that the page's own @page rules set; undefined if the page is not printed on it. */
  readonly ownPaper?: PageRulePaper;
  /** The area that the content covers; measured only if the paper size depends on it. */
  readonly contentBox?: ContentBox;
}
