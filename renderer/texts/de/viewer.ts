/** Pages, pictures, comparing. */
import type { viewer as english } from '../en/viewer.ts';

export const viewer: Readonly<Record<keyof typeof english, string>> = {
  'viewer.zoom.in': 'Vergrößern',
};
