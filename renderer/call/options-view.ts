/** What of the form of options is shown: what is searched for, whether only what was changed, which sections are open. */
import { computed, signal } from '@preact/signals';
import type { OptionName } from '../../main/job/options.ts';
import { formOptions, options, setOption } from './call.ts';
import { sectionOf, sectionsOf, type OptionSection } from './option-sections.ts';
import { searchOptions } from './option-search.ts';

export const query = signal('');

/**
 * The options that had been changed when somebody asked to see only those. One of them that is emptied stays, or a field
 * would go while somebody types in it.
 */
export const onlyThese = signal<ReadonlySet<OptionName> | undefined>(undefined);

/** Sections, and with `/idle` what has no effect in them. */
export const open = signal<ReadonlySet<string>>(new Set<OptionSection['id']>(['Format', 'Page']));

export const outputFormat = computed(() => {
  const format = options.value.get('output_format');
  return typeof format === 'string' ? format : 'pdf';
});

/** One letter is in nearly every option, and drawing them all would make the next key late. */
const searched = computed(() => (query.value.trim().length < 2 ? '' : query.value));

/** Whether single options are looked for; then every section is open. */
export const isNarrow = computed(() => searched.value !== '' || onlyThese.value !== undefined);

export const sections = computed<readonly OptionSection[]>(() => {
  const names = formOptions.filter((name) => onlyThese.value?.has(name) !== false);
  const found = searched.value === '' ? names : searchOptions(searched.value, names);
  return sectionsOf(found, outputFormat.value);
});

export function toggle(id: string): void {
  const next = new Set(open.value);
  if (!next.delete(id)) next.add(id);
  open.value = next;
}

export function showOnlyChanged(only: boolean): void {
  onlyThese.value = only ? new Set(options.value.keys()) : undefined;
}

/** Takes an option back to its default. */
export function resetOption(name: OptionName): void {
  setOption(name, undefined);
  if (onlyThese.value === undefined) return;
  const rest = new Set([...onlyThese.value].filter((other) => other !== name));
  onlyThese.value = rest.size === 0 ? undefined : rest;
}

export function resetAll(): void {
  options.value = new Map();
  onlyThese.value = undefined;
}

/** Opens whatever an option is hidden in. */
export function uncover(name: OptionName): void {
  query.value = '';
  onlyThese.value = undefined;
  const id = sectionOf(name);
  open.value = new Set([...open.value, id, `${id}/idle`]);
}
