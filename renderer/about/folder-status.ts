/** Texts for a hot folder: its state and the number of its files. */
import type { HotFolderState } from '../../main/console/contract.ts';
import { t, type TextKey } from '../texts/text.ts';

interface FolderBadge {
  readonly text: TextKey;
  readonly tone: 'good' | 'error' | 'accent' | undefined;
}

/** Returns the badge of a hot folder. A problem takes precedence over every other state. */
export function folderBadge({ problem, converting, waiting }: HotFolderState): FolderBadge {
  if (problem !== undefined) return { text: 'about.folders.status.stopped', tone: 'error' };
  if (converting > 0) return { text: 'about.folders.status.converting', tone: 'accent' };
  if (waiting > 0) return { text: 'about.folders.status.waiting', tone: undefined };
  return { text: 'about.folders.status.watched', tone: 'good' };
}

/** Returns the file counts, such as `3 waiting, 1,204 converted, 2 failed`. Omits zero counts, except for converted files. */
export function folderCounts({ converting, waiting, converted, failed }: HotFolderState): string {
  const counts = Object.entries({ converting, waiting, converted, failed } as const);
  return counts
    .filter(([what, count]) => count > 0 || what === 'converted')
    .map(([what, count]) => t(`about.folders.${what as 'converting'}`, { count }))
    .join(', ');
}
