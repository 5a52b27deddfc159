/** The selected tabs of the "Try" view. Other parts set them, for example to lead from a finding to its option. */
import { signal } from '@preact/signals';
import type { OptionName } from '../../main/job/options.ts';
import { show } from '../shell/current-view.ts';

export type CallTab = 'input' | 'options' | 'code';
export type ResultTab = 'result' | 'explain';

export const callTab = signal<CallTab>('input');
export const resultTab = signal<ResultTab>('result');

/** The option that the form is to reveal and focus; the form resets it afterwards. */
export const optionToReveal = signal<OptionName | undefined>(undefined);

/** Shows an option in the form, from anywhere. */
export function showOption(name: OptionName): void {
  optionToReveal.value = name;
  callTab.value = 'options';
  show('try');
}
