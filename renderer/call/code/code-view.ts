/** State of the code panel: language, account and key. The key is kept in memory only. */
import { signal } from '@preact/signals';
import type { ConsoleState } from '../../../main/console/contract.ts';
import { file, form } from '../call.ts';
import { codeCallOf, type CodeCall } from './code-call.ts';
import { codeLanguageNames, type CodeLanguage } from './languages.ts';

/** As entered. If empty, the code contains the default. */
export const enteredAccount = signal('');
export const enteredKey = signal('');

const storageKey = 'platen-code-language';

export const codeLanguage = signal<CodeLanguage>(storedLanguage());

export function rememberLanguage(language: CodeLanguage): void {
  codeLanguage.value = language;
  try {
    localStorage.setItem(storageKey, language);
  } catch {
    // If the browser forbids storage, the choice lasts until the page is closed.
  }
}

function storedLanguage(): CodeLanguage {
  try {
    const name = localStorage.getItem(storageKey);
    return codeLanguageNames.find((known) => known === name) ?? 'curl';
  } catch {
    return 'curl';
  }
}

/** The account of the tray window cannot be used over HTTP, so the code has a placeholder. */
export function defaultAccount(accountState: ConsoleState['account'] | undefined, isTray: boolean): string {
  return accountState === undefined || isTray ? 'YOUR_ACCOUNT' : accountState.name;
}

/** The key of the demo account is public. */
export function defaultKey(facts: ConsoleState['account'] | undefined, entered: string): string {
  const isDemo = entered === '' ? facts?.demo === true : entered === 'demo';
  return isDemo ? 'demo' : 'YOUR_KEY';
}

/** The current call. Until the service has responded, it uses the default base URL. */
export function codeCall(state: ConsoleState | undefined, isTray: boolean): CodeCall {
  const input = file.value;
  return codeCallOf({
    form: form.value,
    diskFileName: input?.kind === 'disk' ? input.picked.name : undefined,
    baseUrl: state?.baseUrl ?? 'http://127.0.0.1:8730',
    account: enteredAccount.value || defaultAccount(state?.account, isTray),
    key: enteredKey.value || defaultKey(state?.account, enteredAccount.value),
  });
}
