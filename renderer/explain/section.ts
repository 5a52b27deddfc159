/** One section of the explanation, with its entry in the index. */
import type { ComponentChildren } from 'preact';

export interface ExplanationSection {
  readonly id: string;
  readonly title: string;
  /** Number of listed items. */
  readonly count?: number;
  /** Tone of the count if there are errors or warnings. */
  readonly tone?: 'error' | 'warning';
  readonly content: ComponentChildren;
}
