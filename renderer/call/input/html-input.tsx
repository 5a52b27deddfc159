/** The HTML input: an editor, or ways to start while the editor is closed. */
import { ClipboardPaste, Eraser, FileCode2, FolderOpen, ReceiptText } from 'lucide-preact';
import { useState } from 'preact/hooks';
import { useBridge } from '../../bridge/bridge.ts';
import { Button, IconButton } from '../../parts/button.tsx';
import { Empty } from '../../parts/empty.tsx';
import { size, t } from '../../texts/text.ts';
import { html } from '../call.ts';
import { Editor } from '../editor/editor.tsx';
import { openInEditor, editorOpened } from './file-source.ts';
import { pickFile } from './pick-file.ts';
import { sampleHtml } from './samples.ts';

export function HtmlInput() {
  const [focus, setFocus] = useState(false);
  const isEmpty = html.value === '';
  if (isEmpty && !editorOpened.value.html)
    return (
      <EmptyHtml
        onStart={() => {
          setFocus(true);
          editorOpened.value = { ...editorOpened.value, html: true };
        }}
      />
    );
  return (
    <div class="input-editor">
      <Editor
        name="html"
        label={t('input.html.label')}
        text={html}
        syntax="html"
        placeholder={t('input.html.placeholder')}
        focus={focus}
      />
    </div>
  );
}

/** The size of the text and actions on it, next to the input types. Shown while the editor is open. */
export function HtmlActions() {
  const bridge = useBridge();
  if (html.value === '' && !editorOpened.value.html) return null;
  const open = async () => {
    const picked = await pickFile(bridge, '.html,.htm,.xhtml');
    if (picked !== undefined) await openInEditor(bridge, picked);
  };
  return (
    <div class="input-actions">
      <span class="faint">{html.value === '' ? '' : size(new Blob([html.value]).size)}</span>
      <IconButton icon={FolderOpen} label={t('input.html.open')} onClick={() => void open()} />
      <IconButton
        icon={ReceiptText}
        label={t('input.html.sample')}
        onClick={() => {
          html.value = sampleHtml;
        }}
      />
      <IconButton
        icon={Eraser}
        label={t('action.clear')}
        disabled={html.value === ''}
        onClick={() => {
          html.value = '';
        }}
      />
    </div>
  );
}

function EmptyHtml({ onStart }: { readonly onStart: () => void }) {
  const start = (text: string) => {
    onStart();
    html.value = text;
  };
  return (
    <Empty
      icon={FileCode2}
      title={t('input.html.empty.title')}
      actions={
        <>
          <Button
            icon={ReceiptText}
            onClick={() => {
              start(sampleHtml);
            }}
          >
            {t('input.html.startSample')}
          </Button>
          <Button icon={ClipboardPaste} onClick={() => void clipboardText().then(start)}>
            {t('input.html.paste')}
          </Button>
        </>
      }
    >
      {t('input.html.empty.sentence')}
    </Empty>
  );
}

/** Returns the text of the clipboard; empty if it cannot be read. The user can then press Ctrl+V in the editor. */
async function clipboardText(): Promise<string> {
  try {
    return await navigator.clipboard.readText();
  } catch {
    return '';
  }
}
