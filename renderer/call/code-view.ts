/** What of the code is shown: the language, and whose account and key stand in it. A key is kept in memory alone. */
import { signal } from '@preact/signals';
import type { State } from '../../main/console/contract.ts';
import { file, form } from './call.ts';
import { codeCallOf, type CodeCall } from './code/code-call.ts';
import { codeLanguageNames, type CodeLanguage } from './code/languages.ts';

/** As entered; empty: the usual one. */
export const account = signal('');
export const key = signal('');

const kept = 'platen-code-language';

export const codeLanguage = signal<CodeLanguage>(storedLanguage());

export function rememberLanguage(language: CodeLanguage): void {
  codeLanguage.value = language;
  try {
    localStorage.setItem(kept, language);
  } catch {
    // A browser may forbid it; then it is the same until the page is left.
  }
}

function storedLanguage(): CodeLanguage {
  try {
    const name = localStorage.getItem(kept);
    return codeLanguageNames.find((known) => known === name) ?? 'curl';
  } catch {
    return 'curl';
  }
}

/** The window of the tray has an account that nobody is let in by over HTTP. */
export function usualAccount(facts: State['account'] | undefined, isTray: boolean): string {
  return facts === undefined || isTray ? 'YOUR_ACCOUNT' : facts.name;
}

/** Everybody knows the key of the demo account. */
export function usualKey(facts: State['account'] | undefined, entered: string): string {
  const isDemo = entered === '' ? facts?.demo === true : entered === 'demo';
  return isDemo ? 'demo' : 'YOUR_KEY';
}

/** The call being composed; before the service has answered, at the address it usually has. */
export function codeCall(state: State | undefined, isTray: boolean): CodeCall {
  const input = file.value;
  return codeCallOf({
    form: form.value,
    chosen: input?.kind === 'disk' ? input.chosen.name : undefined,
    baseUrl: state?.baseUrl ?? 'http://127.0.0.1:8730',
    account: account.value || usualAccount(state?.account, isTray),
    key: key.value || usualKey(state?.account, account.value),
  });
}
