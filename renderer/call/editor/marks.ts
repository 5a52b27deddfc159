/** Marks ranges of the editor's text. The marks move with edits until new marks are set. */
import { StateEffect, StateField } from '@codemirror/state';
import { Decoration, EditorView, type DecorationSet } from '@codemirror/view';
import type { Mark } from './editor-props.ts';

export function showMarks(view: EditorView, marks: readonly Mark[]): void {
  view.dispatch({ effects: setMarks.of(marks) });
}

const setMarks = StateEffect.define<readonly Mark[]>();

export const markField = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(before, { changes, effects, newDoc }) {
    const marks = effects.find((effect) => effect.is(setMarks))?.value;
    if (marks === undefined) return before.map(changes);
    const inside = marks.filter(({ from, to }) => from < to && to <= newDoc.length);
    return Decoration.set(inside.map(decorated), true);
  },
  provide: (field) => EditorView.decorations.from(field),
});

function decorated({ from, to, kind, tooltip }: Mark) {
  return Decoration.mark({ class: `cm-${kind}`, attributes: { title: tooltip } }).range(from, to);
}
