/** Translations of CodeMirror's own texts. */
import { EditorState, type Extension } from '@codemirror/state';
import { t, type TextKey } from '../../texts/text.ts';

/** CodeMirror's English phrase, and our text key. */
const said: Readonly<Record<string, TextKey>> = {
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

export function phrases(): Extension {
  return EditorState.phrases.of(
    Object.fromEntries(Object.entries(said).map(([english, key]) => [english, t(key)])),
  );
}
