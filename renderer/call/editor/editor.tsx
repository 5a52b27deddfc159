/** A text editor: CodeMirror, loaded on demand; until then, a plain text area with the same text. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { language, t } from '../../texts/text.ts';
import type { EditorView } from '@codemirror/view';
import type * as codeMirror from './code-mirror.ts';
import type { EditorProps, Mark } from './editor-props.ts';
import './editor.css';

export function Editor(props: EditorProps) {
  const place = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>();
  const hadFocus = useRef(false);
  const [opened, setOpened] = useState<CodeMirror>();
  const { name, syntax, text, marks = noMarks, selectRange } = props;
  useEffect(() => {
    let gone = false;
    void import('./code-mirror.ts').then((code) => {
      if (gone) return;
      // If the text area has the focus, the editor takes it over.
      hadFocus.current = place.current?.contains(document.activeElement) === true;
      setOpened(code);
    });
    return () => {
      gone = true;
    };
  }, []);
  useEffect(() => {
    if (opened === undefined || place.current === null) return undefined;
    const editor = opened.openEditor(place.current, {
      ...props,
      focus: props.focus === true || hadFocus.current,
    });
    view.current = editor.view;
    return editor.close;
  }, [opened, name, syntax, language.value]);
  useEffect(() => {
    if (view.current !== undefined) opened?.showMarks(view.current, marks);
  }, [opened, marks, syntax, language.value]);
  useEffect(
    () => text.subscribe((now) => view.current && opened?.showText(view.current, now)),
    [opened, text],
  );
  useEffect(
    () => selectRange?.subscribe((place) => view.current && opened?.selectRange(view.current, place)),
    [opened, selectRange],
  );
  return (
    <div class="editor" dir="ltr" ref={place}>
      {opened === undefined && <PlainField {...props} />}
    </div>
  );
}

type CodeMirror = typeof codeMirror;

const noMarks: readonly Mark[] = [];

function PlainField({ label, text, placeholder, focus }: EditorProps) {
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    if (focus === true) field.current?.focus();
  }, []);
  return (
    <textarea
      ref={field}
      class="editor-plain mono"
      aria-label={label}
      aria-description={t('input.editor.loading')}
      spellcheck={false}
      placeholder={placeholder}
      value={text.value}
      onInput={(event) => {
        text.value = event.currentTarget.value;
      }}
    />
  );
}
