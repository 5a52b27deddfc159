/** One section of the explanation, with its entry in the index. */
import type { ComponentChildren } from 'preact';

export interface ExplanationSection {
  readonly id: string;
  readonly title: string;
  /** Number of listed items. */
  readonly count?: number;
  /** Set if the section contains errors or warnings; the index then shows a coloured mark. */
  readonly tone?: 'error' | 'warning';
  readonly content: ComponentChildren;
}
