/** The call as code to copy. */
import { useComputed } from '@preact/signals';
import { Download, FileInput, TriangleAlert } from 'lucide-preact';
import type { ComponentChildren } from 'preact';
import { useBridge } from '../bridge/bridge.ts';
import { Button } from '../parts/button.tsx';
import { Segments } from '../parts/choice.tsx';
import { CopyButton } from '../parts/copy-button.tsx';
import { Empty } from '../parts/empty.tsx';
import { TextInput } from '../parts/field.tsx';
import { service } from '../shell/service-state.ts';
import { t } from '../texts/text.ts';
import { callTab } from '../views/try-tabs.ts';
import { hasInput, wrongOptions } from './call.ts';
import {
  account,
  codeCall,
  codeLanguage,
  key,
  rememberLanguage,
  usualAccount,
  usualKey,
} from './code-view.ts';
import type { CodeText } from './code/code-call.ts';
import { codeLanguageNames, codeLanguages, spansOf } from './code/languages.ts';
import './code.css';

export function CodePanel() {
  const isTray = useBridge().place === 'tray';
  if (!hasInput.value) return <NoInput />;
  const program = () => codeLanguages[codeLanguage.value].write(codeCall(service.value, isTray));
  return (
    <div class="code">
      <div class="code-head">
        <Segments
          label={t('code.language')}
          choices={codeLanguageNames.map((name) => ({ value: name, label: codeLanguages[name].label }))}
          value={codeLanguage.value}
          onChoose={rememberLanguage}
        />
        <div class="code-credentials">
          <Credentials />
          <CopyButton text={program} />
        </div>
      </div>
      <Notes />
      <Program />
    </div>
  );
}

function NoInput() {
  return (
    <Empty
      icon={FileInput}
      title={t('code.none.title')}
      actions={
        <Button
          onClick={() => {
            callTab.value = 'input';
          }}
        >
          {t('code.none.go')}
        </Button>
      }
    >
      {t('code.none.sentence')}
    </Empty>
  );
}

function Credentials() {
  const isTray = useBridge().place === 'tray';
  const facts = service.value?.account;
  return (
    <>
      <label>
        <span>{t('code.account')}</span>
        <TextInput
          value={account.value}
          placeholder={usualAccount(facts, isTray)}
          autocomplete="off"
          spellcheck={false}
          onText={(text) => {
            account.value = text;
          }}
        />
      </label>
      <label>
        <span>{t('code.key')}</span>
        <TextInput
          value={key.value}
          placeholder={usualKey(facts, account.value)}
          autocomplete="off"
          spellcheck={false}
          title={t('code.key.hint')}
          onText={(text) => {
            key.value = text.trim();
          }}
        />
      </label>
    </>
  );
}

function Notes() {
  const call = useCall();
  const beside = call.texts.filter(({ from }) => from !== undefined);
  const wrong = wrongOptions.value;
  return (
    <>
      {wrong.length > 0 && (
        <Note tone="error">{t('code.wrong', { count: wrong.length, names: wrong.join(', ') })}</Note>
      )}
      {call.files.length > 0 && (
        <Note>{t('code.files', { names: call.files.map(({ file }) => file).join(', ') })}</Note>
      )}
      {beside.length > 0 && (
        <Note>
          {t('code.long')}
          {beside.map((text) => (
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

function SaveText({ text: { value, from = '' } }: { readonly text: CodeText }) {
  const save = () => {
    const link = document.createElement('a');
    link.href = URL.createObjectURL(new Blob([value]));
    link.download = from;
    link.click();
    URL.revokeObjectURL(link.href);
  };
  return (
    <Button icon={Download} onClick={save}>
      {from}
    </Button>
  );
}

function Program() {
  const language = codeLanguage.value;
  const code = codeLanguages[language].write(useCall());
  const { label } = codeLanguages[language];
  return (
    <pre class="code-program" tabIndex={0} role="region" aria-label={t('code.program', { language: label })}>
      {spansOf(code, language).map(({ is, code: piece }, index) => (
        <span key={index} data-is={is}>
          {piece}
        </span>
      ))}
    </pre>
  );
}

function useCall() {
  const isTray = useBridge().place === 'tray';
  return useComputed(() => codeCall(service.value, isTray)).value;
}
