/** Sets up CodeMirror. This module is imported only when an editor is shown. */
import { defaultKeymap, history, historyField, historyKeymap, indentWithTab } from '@codemirror/commands';
import { html } from '@codemirror/lang-html';
import { json, jsonParseLinter } from '@codemirror/lang-json';
import { bracketMatching, indentOnInput, syntaxHighlighting } from '@codemirror/language';
import { linter } from '@codemirror/lint';
import { highlightSelectionMatches, search, searchKeymap } from '@codemirror/search';
import { EditorState, type Extension } from '@codemirror/state';
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  keymap,
  lineNumbers,
  placeholder,
} from '@codemirror/view';
import { t, type TextKey } from '../../texts/text.ts';
import type { EditorProps, TextRange } from './editor-props.ts';
import { codeColours, editorTheme } from './theme.ts';
import { markField } from './marks.ts';

export { showMarks } from './marks.ts';

interface OpenEditor {
  readonly view: EditorView;
  readonly close: () => void;
}

/**
 * The states of closed editors, with their undo histories. They are stored as JSON, because a new editor may have other extensions.
 */
const savedStates = new Map<string, unknown>();

/**
 * Opens an editor in a shadow root. In the document itself, CodeMirror would add style elements, which the content security policy
 * forbids.
 */
export function openEditor(container: HTMLElement, props: EditorProps): OpenEditor {
  const root = container.shadowRoot ?? container.attachShadow({ mode: 'open' });
  const view = new EditorView({ state: stateFor(props), parent: root, root });
  // Tab moves the focus out of the editor until the user presses Ctrl+M (WCAG 2.2, 2.1.2).
  view.setTabFocusMode(true);
  if (props.focus === true) view.focus();
  return {
    view,
    close: () => {
      savedStates.set(props.name, view.state.toJSON({ history: historyField }));
      view.destroy();
    },
  };
}

/** Replaces the text of the editor with text that was changed elsewhere. The user can undo the change. */
export function showText(view: EditorView, text: string): void {
  const { doc } = view.state;
  if (doc.length === text.length && doc.toString() === text) return;
  view.dispatch({ changes: { from: 0, to: doc.length, insert: text } });
}

/** Selects the range and scrolls it to the middle of the editor. */
export function selectRange(view: EditorView, range: TextRange | undefined): void {
  if (range === undefined || range.to > view.state.doc.length) return;
  view.dispatch({
    selection: { anchor: range.from, head: range.to },
    effects: EditorView.scrollIntoView(range.from, { y: 'center' }),
  });
  view.focus();
}

function stateFor(props: EditorProps): EditorState {
  const extensions = extensionsFor(props);
  const text = props.text.peek();
  const savedState = savedStates.get(props.name);
  if (savedState === undefined) return EditorState.create({ doc: text, extensions });
  const state = EditorState.fromJSON(savedState, { extensions }, { history: historyField });
  if (state.doc.toString() === text) return state;
  return state.update({ changes: { from: 0, to: state.doc.length, insert: text } }).state;
}

function extensionsFor(props: EditorProps): Extension[] {
  const { label, text, syntax } = props;
  return [
    lineNumbers(),
    highlightActiveLineGutter(),
    highlightActiveLine(),
    drawSelection(),
    history(),
    indentOnInput(),
    bracketMatching(),
    highlightSelectionMatches(),
    search({ top: true }),
    // CodeMirror's binding of Ctrl+Enter is removed, because this key starts a conversion.
    keymap.of([
      ...defaultKeymap.filter(({ key }) => key !== 'Mod-Enter'),
      ...historyKeymap,
      ...searchKeymap,
      indentWithTab,
    ]),
    ...syntaxes[syntax](),
    syntaxHighlighting(codeColours),
    editorTheme,
    markField,
    translatedPhrases(),
    EditorView.lineWrapping,
    EditorView.contentAttributes.of({
      'aria-label': label,
      'aria-description': t('input.editor.keys'),
      spellcheck: 'false',
      tabindex: '0',
    }),
    EditorView.updateListener.of((update) => {
      if (update.docChanged) text.value = update.state.doc.toString();
    }),
    ...(props.placeholder === undefined ? [] : [placeholder(props.placeholder)]),
  ];
}

const syntaxes: Readonly<Record<EditorProps['syntax'], () => Extension[]>> = {
  html: () => [html()],
  json: () => [
    json(),
    linter((view) => (view.state.doc.length === 0 ? [] : jsonParseLinter()(view)), { delay: 400 }),
  ],
  plain: () => [],
};

/** The text key of each English phrase in CodeMirror's interface. */
const phraseKeys: Readonly<Record<string, TextKey>> = {
  Find: 'input.editor.find',
  Replace: 'input.editor.replaceWith',
  next: 'input.editor.next',
  previous: 'input.editor.previous',
  all: 'input.editor.all',
  'match case': 'input.editor.case',
  'by word': 'input.editor.word',
  regexp: 'input.editor.regexp',
  replace: 'input.editor.replace',
  'replace all': 'input.editor.replaceAll',
  close: 'action.close',
  'current match': 'input.editor.current',
  'on line': 'input.editor.onLine',
  'Go to line': 'input.editor.line',
  go: 'input.editor.go',
};

function translatedPhrases(): Extension {
  return EditorState.phrases.of(
    Object.fromEntries(Object.entries(phraseKeys).map(([english, key]) => [english, t(key)])),
  );
}
