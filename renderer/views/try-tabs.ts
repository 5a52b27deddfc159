/** Which side of the call and of its result the view "Try" shows; others lead there, from a finding to its option. */
import { signal } from '@preact/signals';
import type { OptionName } from '../../main/job/options.ts';
import { show } from '../shell/where.ts';

export type CallTab = 'input' | 'options' | 'code';
export type ResultTab = 'result' | 'explain';

export const callTab = signal<CallTab>('input');
export const resultTab = signal<ResultTab>('result');

/** The option the form is to show and focus; the form takes it away when it has. */
export const wantedOption = signal<OptionName | undefined>(undefined);

/** From anywhere to an option of the form. */
export function showOption(name: OptionName): void {
  wantedOption.value = name;
  callTab.value = 'options';
  show('try');
}
