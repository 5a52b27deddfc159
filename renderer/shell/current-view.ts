/** The current view. It is stored in the URL fragment, so that the Back button works and views can be linked. */
import { computed, signal } from '@preact/signals';

export const viewNames = ['try', 'compare', 'jobs', 'accounts', 'settings', 'about'] as const;

export type ViewName = (typeof viewNames)[number];

const fragment = signal(location.hash);

addEventListener('hashchange', () => {
  fragment.value = location.hash;
});

/** `#jobs/<id>`: the view `jobs`, and the item within it. */
export const view = computed<ViewName>(() => {
  const name = fragment.value.slice(1).split('/')[0];
  return viewNames.find((known) => known === name) ?? 'try';
});

/** The item shown in the view, such as a job id; empty if none. */
export const openItem = computed(() => decodeURIComponent(fragment.value.slice(1).split('/')[1] ?? ''));

export function show(name: ViewName, item = ''): void {
  location.hash = item === '' ? name : `${name}/${encodeURIComponent(item)}`;
}
