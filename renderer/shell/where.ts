/** Which view is shown: the address's fragment says it, so that going back works and a view can be linked. */
import { computed, signal } from '@preact/signals';

export const viewNames = ['try', 'compare', 'jobs', 'accounts', 'settings', 'about'] as const;

export type ViewName = (typeof viewNames)[number];

const fragment = signal(location.hash);

addEventListener('hashchange', () => {
  fragment.value = location.hash;
});

/** `#jobs/<id>`: the view `jobs`, and what of it. */
export const view = computed<ViewName>(() => {
  const name = fragment.value.slice(1).split('/')[0];
  return viewNames.find((known) => known === name) ?? 'try';
});

/** What of the view is shown, such as a job's id; empty: all of it. */
export const detail = computed(() => decodeURIComponent(fragment.value.slice(1).split('/')[1] ?? ''));

export function show(name: ViewName, what = ''): void {
  location.hash = what === '' ? name : `${name}/${encodeURIComponent(what)}`;
}
