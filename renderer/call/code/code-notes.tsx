/** Notes above the code: values that the service would refuse, and files that the program reads. */
import { Download, TriangleAlert } from 'lucide-preact';
import type { ComponentChildren } from 'preact';
import { Button } from '../../parts/button.tsx';
import { saveBlob } from '../../parts/save-blob.ts';
import { t } from '../../texts/text.ts';
import { invalidOptions } from '../call.ts';
import type { CodeRequest, CodeText } from './code-request.ts';

export function CodeNotes({ call }: { readonly call: CodeRequest }) {
  const textFiles = call.texts.filter(({ file }) => file !== undefined);
  const invalid = invalidOptions.value;
  return (
    <>
      {invalid.length > 0 && (
        <Note tone="error">{t('code.wrong', { count: invalid.length, names: invalid.join(', ') })}</Note>
      )}
      {call.files.length > 0 && (
        <Note>{t('code.files', { names: call.files.map(({ file }) => file).join(', ') })}</Note>
      )}
      {textFiles.length > 0 && (
        <Note>
          {t('code.long')}
          {textFiles.map((text) => (
            <SaveText key={text.name} text={text} />
          ))}
        </Note>
      )}
    </>
  );
}

function Note({ tone, children }: { readonly tone?: 'error'; readonly children: ComponentChildren }) {
  return (
    <div class="code-note" data-tone={tone} role="note">
      {tone !== undefined && <TriangleAlert size={14} aria-hidden="true" />}
      <span>{children}</span>
    </div>
  );
}

function SaveText({ text: { value, file = '' } }: { readonly text: CodeText }) {
  const save = () => {
    saveBlob(new Blob([value]), file);
  };
  return (
    <Button icon={Download} onClick={save}>
      {file}
    </Button>
  );
}
