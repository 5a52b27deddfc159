/** What an editor is given: its text, and places of the text that are marked. */
import type { Signal } from '@preact/signals';

export interface Place {
  readonly from: number;
  readonly to: number;
}

export interface Mark extends Place {
  /** `missing`: the data lacks it; `unused`: nobody asks for it. */
  readonly kind: 'missing' | 'unused';
  readonly says: string;
}

export interface EditorProps {
  /** Under which it is remembered what was done to the text, so that it can be undone after looking elsewhere. */
  readonly name: string;
  readonly label: string;
  readonly text: Signal<string>;
  readonly syntax: 'html' | 'json' | 'plain';
  readonly placeholder?: string;
  readonly marks?: readonly Mark[];
  readonly focus?: boolean;
  /** A place to be shown and selected, when it is set. */
  readonly wanted?: Signal<Place | undefined>;
}
