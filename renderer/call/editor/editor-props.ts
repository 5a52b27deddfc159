/** The props of an editor, and the ranges of its text that it marks or selects. */
import type { Signal } from '@preact/signals';

export interface TextRange {
  readonly from: number;
  readonly to: number;
}

export interface Mark extends TextRange {
  /** `missing`: a value of the template that the data lacks. `unused`: a value of the data that the template does not use. */
  readonly kind: 'missing' | 'unused';
  readonly tooltip: string;
}

export interface EditorProps {
  /** Identifies the editor. Its undo history is kept under this name while the editor is unmounted. */
  readonly name: string;
  readonly label: string;
  readonly text: Signal<string>;
  readonly syntax: 'html' | 'json' | 'plain';
  readonly placeholder?: string;
  readonly marks?: readonly Mark[];
  readonly focus?: boolean;
  /** When this is set, the editor selects the range and scrolls to it. */
  readonly selectRange?: Signal<TextRange | undefined>;
}
