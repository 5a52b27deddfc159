/** The Code tab: the request as a program to copy, in the chosen language. */
import { useComputed } from '@preact/signals';
import { FileInput } from 'lucide-preact';
import { useBridge } from '../../bridge/bridge.ts';
import { Button } from '../../parts/button.tsx';
import { Segments } from '../../parts/choice.tsx';
import { CopyButton } from '../../parts/copy-button.tsx';
import { Empty } from '../../parts/empty.tsx';
import { TextInput } from '../../parts/field.tsx';
import { service } from '../../state/service-state.ts';
import { t } from '../../texts/text.ts';
import { requestTab } from '../../state/try-tabs.ts';
import { hasInput } from '../call.ts';
import { CodeNotes } from './code-notes.tsx';
import {
  enteredAccount,
  codeRequest,
  codeLanguage,
  enteredKey,
  rememberLanguage,
  defaultAccount,
  defaultKey,
} from './code-view.ts';
import { codeLanguageNames, codeLanguages, spansOf } from './languages.ts';
import '../code.css';

export function CodePanel() {
  const isTray = useBridge().environment === 'tray';
  const call = useComputed(() => codeRequest(service.value, isTray)).value;
  if (!hasInput.value) return <NoInput />;
  const code = codeLanguages[codeLanguage.value].write(call);
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
          <CopyButton text={() => code} />
        </div>
      </div>
      <CodeNotes call={call} />
      <Program code={code} />
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
            requestTab.value = 'input';
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
  const isTray = useBridge().environment === 'tray';
  const facts = service.value?.account;
  return (
    <>
      <label>
        <span>{t('code.account')}</span>
        <TextInput
          value={enteredAccount.value}
          placeholder={defaultAccount(facts, isTray)}
          autocomplete="off"
          spellcheck={false}
          onText={(text) => {
            enteredAccount.value = text;
          }}
        />
      </label>
      <label>
        <span>{t('code.key')}</span>
        <TextInput
          value={enteredKey.value}
          placeholder={defaultKey(facts, enteredAccount.value)}
          autocomplete="off"
          spellcheck={false}
          title={t('code.key.hint')}
          onText={(text) => {
            enteredKey.value = text.trim();
          }}
        />
      </label>
    </>
  );
}

function Program({ code }: { readonly code: string }) {
  const language = codeLanguage.value;
  const { label } = codeLanguages[language];
  return (
    <pre
      class="code-program"
      dir="ltr"
      tabIndex={0}
      role="region"
      aria-label={t('code.program', { language: label })}
    >
      {spansOf(code, language).map(({ kind, code: piece }, index) => (
        <span key={index} data-kind={kind}>
          {piece}
        </span>
      ))}
    </pre>
  );
}
