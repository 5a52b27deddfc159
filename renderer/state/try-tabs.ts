/**
 * The selected tabs of the "Try" view. Other modules select a tab too, for example when the user follows a finding to its option.
 */
import { signal } from '@preact/signals';
import type { OptionName } from '../../main/job/options.ts';
import { show } from './current-view.ts';

export type RequestTab = 'input' | 'options' | 'code';
export type ResultTab = 'result' | 'explain';

export const requestTab = signal<RequestTab>('input');
export const resultTab = signal<ResultTab>('result');

/** The option that the options form scrolls to and focuses next. The form then resets this signal. */
export const optionToReveal = signal<OptionName | undefined>(undefined);

/** Opens the "Try" view at an option of the form. */
export function showOption(name: OptionName): void {
  optionToReveal.value = name;
  requestTab.value = 'options';
  show('try');
}
