/** The state of the Code tab: language, account and key. The key is kept in memory only. */
import { signal } from '@preact/signals';
import type { ConsoleState } from '../../../main/console/contract.ts';
import { file, form } from '../call.ts';
import { codeRequestOf, type CodeRequest } from './code-request.ts';
import { codeLanguageNames, type CodeLanguage } from './languages.ts';
import { storeLocally } from '../../parts/local-storage.ts';

/** The account and the key as entered. If one is empty, the code contains its default. */
export const enteredAccount = signal('');
export const enteredKey = signal('');

const storageKey = 'platen-code-language';

export const codeLanguage = signal<CodeLanguage>(storedLanguage());

export function rememberLanguage(language: CodeLanguage): void {
  codeLanguage.value = language;
  storeLocally(storageKey, language);
}

function storedLanguage(): CodeLanguage {
  try {
    const name = localStorage.getItem(storageKey);
    return codeLanguageNames.find((known) => known === name) ?? 'curl';
  } catch {
    return 'curl';
  }
}

/** Returns the account name for the code. The tray account cannot be used over HTTP, so the tray window uses a placeholder. */
export function defaultAccount(accountState: ConsoleState['account'] | undefined, isTray: boolean): string {
  return accountState === undefined || isTray ? 'YOUR_ACCOUNT' : accountState.name;
}

/** Returns the key for the code: the public key of the demo account, or else a placeholder. */
export function defaultKey(facts: ConsoleState['account'] | undefined, entered: string): string {
  const isDemo = entered === '' ? facts?.demo === true : entered === 'demo';
  return isDemo ? 'demo' : 'YOUR_KEY';
}

/** Returns the current request for the code generators. Until the service has responded, it contains the default base URL. */
export function codeRequest(state: ConsoleState | undefined, isTray: boolean): CodeRequest {
  const input = file.value;
  return codeRequestOf({
    form: form.value,
    diskFileName: input?.kind === 'disk' ? input.picked.name : undefined,
    baseUrl: state?.baseUrl ?? 'http://127.0.0.1:8730',
    account: enteredAccount.value || defaultAccount(state?.account, isTray),
    key: enteredKey.value || defaultKey(state?.account, enteredAccount.value),
  });
}
