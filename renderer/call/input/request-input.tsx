/** The Input tab: HTML, a URL, a file, or a template with its data. */
import { Segments } from '../../parts/choice.tsx';
import { t } from '../../texts/text.ts';
import { inputKind, inputKinds } from '../call.ts';
import { FileInput } from './file-input.tsx';
import { HtmlActions, HtmlInput } from './html-input.tsx';
import { TemplateInput } from './template-input.tsx';
import { UrlInput } from './url-input.tsx';
import '../call-input.css';

const inputs = { html: HtmlInput, url: UrlInput, file: FileInput, template: TemplateInput } as const;

export function RequestInput() {
  const Input = inputs[inputKind.value];
  return (
    <>
      <div class="input-kinds">
        <Segments
          label={t('input.kinds')}
          choices={inputKinds.map((value) => ({ value, label: t(`input.kind.${value}`) }))}
          value={inputKind.value}
          onChoose={(kind) => {
            inputKind.value = kind;
          }}
        />
        {inputKind.value === 'html' && <HtmlActions />}
      </div>
      <Input />
    </>
  );
}
