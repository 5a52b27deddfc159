/** The current view. The URL fragment contains it, so that the Back button works and views can be linked. */
import { computed, signal } from '@preact/signals';

export const viewNames = ['try', 'compare', 'jobs', 'accounts', 'nodes', 'settings', 'about'] as const;

export type ViewName = (typeof viewNames)[number];

const fragment = signal(location.hash);

addEventListener('hashchange', () => {
  fragment.value = location.hash;
});

/** The view that the fragment names, such as `jobs` for `#jobs/<id>`. Any other fragment selects `try`. */
export const view = computed<ViewName>(() => {
  const name = fragment.value.slice(1).split('/')[0];
  return viewNames.find((known) => known === name) ?? 'try';
});

/** The item shown in the view, such as the job id in `#jobs/<id>`; empty if there is none. */
export const openItem = computed(() => {
  try {
    return decodeURIComponent(fragment.value.slice(1).split('/')[1] ?? '');
  } catch {
    // A person may have typed the address.
    return '';
  }
});

export function show(name: ViewName, item = ''): void {
  location.hash = item === '' ? name : `${name}/${encodeURIComponent(item)}`;
}
