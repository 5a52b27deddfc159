/** A text editor: CodeMirror, loaded on demand. Until it has loaded, a plain text area shows the same text. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { language, t } from '../../texts/text.ts';
import type { EditorView } from '@codemirror/view';
import type * as codeMirror from './code-mirror.ts';
import type { EditorProps, Mark } from './editor-props.ts';
import './editor.css';

export function Editor(props: EditorProps) {
  const container = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>();
  const hadFocus = useRef(false);
  const [codeMirrorModule, setCodeMirrorModule] = useState<CodeMirror>();
  const { name, syntax, text, marks = noMarks, selectRange } = props;
  useEffect(() => {
    let isUnmounted = false;
    void import('./code-mirror.ts').then((loaded) => {
      if (isUnmounted) return;
      // If the text area has the focus, the editor takes the focus when it replaces the text area.
      hadFocus.current = container.current?.contains(document.activeElement) === true;
      setCodeMirrorModule(loaded);
    });
    return () => {
      isUnmounted = true;
    };
  }, []);
  useEffect(() => {
    if (codeMirrorModule === undefined || container.current === null) return undefined;
    const editor = codeMirrorModule.openEditor(container.current, {
      ...props,
      focus: props.focus === true || hadFocus.current,
    });
    view.current = editor.view;
    return editor.close;
  }, [codeMirrorModule, name, syntax, language.value]);
  useEffect(() => {
    if (view.current !== undefined) codeMirrorModule?.showMarks(view.current, marks);
  }, [codeMirrorModule, marks, syntax, language.value]);
  useEffect(
    () => text.subscribe((now) => view.current && codeMirrorModule?.showText(view.current, now)),
    [codeMirrorModule, text],
  );
  useEffect(
    () =>
      selectRange?.subscribe((range) => view.current && codeMirrorModule?.selectRange(view.current, range)),
    [codeMirrorModule, selectRange],
  );
  return (
    <div class="editor" dir="ltr" ref={container}>
      {codeMirrorModule === undefined && <PlainField {...props} />}
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
