/** Props of an editor: its text, and marked ranges of the text. */
import type { Signal } from '@preact/signals';

export interface TextRange {
  readonly from: number;
  readonly to: number;
}

export interface Mark extends TextRange {
  /** `missing`: not in the data. `unused`: not used by the template. */
  readonly kind: 'missing' | 'unused';
  readonly tooltip: string;
}

export interface EditorProps {
  /** Identifies the editor: its undo history is kept under this name while the editor is unmounted. */
  readonly name: string;
  readonly label: string;
  readonly text: Signal<string>;
  readonly syntax: 'html' | 'json' | 'plain';
  readonly placeholder?: string;
  readonly marks?: readonly Mark[];
  readonly focus?: boolean;
  /** When set, the editor scrolls to this range and selects it. */
  readonly selectRange?: Signal<TextRange | undefined>;
}
