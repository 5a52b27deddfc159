/** State of the options form: search, the "Only changed" filter and open sections. */
import { computed, signal } from '@preact/signals';
import type { OptionName } from '../../../main/job/options.ts';
import { formOptions, options, setOption } from '../call.ts';
import { sectionOf, sectionsOf, type OptionSection } from './option-sections.ts';
import { searchOptions } from './option-search.ts';

export const query = signal('');

/**
 * The options that were changed when the user switched on "Only changed"; undefined if the filter is off. An option whose field the
 * user then empties stays in the list, because otherwise the field would disappear while the user types.
 */
export const changedFilter = signal<ReadonlySet<OptionName> | undefined>(undefined);

/** Ids of the open sections. `<section>/no-effect` stands for the options of a section that have no effect. */
export const openSections = signal<ReadonlySet<string>>(new Set<OptionSection['id']>(['Format', 'Page']));

export const outputFormat = computed(() => {
  const format = options.value.get('output_format');
  return typeof format === 'string' ? format : 'pdf';
});

/**
 * The query that is applied; empty for a single letter, which matches almost every option. Drawing all of them would delay the next
 * key.
 */
const effectiveQuery = computed(() => (query.value.trim().length < 2 ? '' : query.value));

/** Whether the list is filtered by a query or by "Only changed". All sections of a filtered list are open. */
export const isFiltered = computed(() => effectiveQuery.value !== '' || changedFilter.value !== undefined);

export const sections = computed<readonly OptionSection[]>(() => {
  const names = formOptions.filter((name) => changedFilter.value?.has(name) !== false);
  const found = effectiveQuery.value === '' ? names : searchOptions(effectiveQuery.value, names);
  return sectionsOf(found, outputFormat.value);
});

export function toggleSection(id: string): void {
  const next = new Set(openSections.value);
  if (!next.delete(id)) next.add(id);
  openSections.value = next;
}

export function showOnlyChanged(only: boolean): void {
  changedFilter.value = only ? new Set(options.value.keys()) : undefined;
}

/** Resets an option to its default, and removes it from the "Only changed" list. */
export function resetOption(name: OptionName): void {
  setOption(name, undefined);
  if (changedFilter.value === undefined) return;
  const remaining = new Set([...changedFilter.value].filter((other) => other !== name));
  changedFilter.value = remaining.size === 0 ? undefined : remaining;
}

export function resetAll(): void {
  options.value = new Map();
  changedFilter.value = undefined;
}

/** Makes an option visible: clears the search and the filter, and opens the option's section. */
export function revealOption(name: OptionName): void {
  query.value = '';
  changedFilter.value = undefined;
  const id = sectionOf(name);
  openSections.value = new Set([...openSections.value, id, `${id}/no-effect`]);
}
