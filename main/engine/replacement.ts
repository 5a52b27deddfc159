/** Why windows are replaced: a small closed set for statistics, where the log has the whole story. Plain Node. */

export const replacementReasons = [
  'share done',
  'crashed',
  'out of memory',
  'killed',
  'timed out',
  'job ended early',
  'job failed',
  'closed by the page',
  'not cleaned',
  'shared process lost',
  'distrusted',
  'closed for memory',
  'other',
] as const;

export type ReplacementReason = (typeof replacementReasons)[number];

/** Said of an idle window whose memory was needed. */
export const noMemory = 'the machine is short of memory';

/** Said of windows that were there when the canary could not be converted. */
export const distrusted = 'conversions failed in windows of its time';

/** What windows are said to be broken by, in the words of those who find it (Electron's own among them). */
const known: Readonly<Record<string, ReplacementReason>> = {
  crashed: 'crashed',
  'abnormal-exit': 'crashed',
  'integrity-failure': 'crashed',
  'launch-failed': 'crashed',
  oom: 'out of memory',
  'memory-eviction': 'out of memory',
  killed: 'killed',
  'its job ran out of time': 'timed out',
  'its job was ended': 'job ended early',
  'its job failed': 'job failed',
  closed: 'closed by the page',
  "the browser's network process was lost": 'shared process lost',
  "the browser's graphics process was lost": 'shared process lost',
  [distrusted]: 'distrusted',
  [noMemory]: 'closed for memory',
};

/** Of a window that is not used again; undefined: nothing is wrong with it. */
export function replacementReason(broken: string | undefined): ReplacementReason {
  if (broken === undefined) return 'share done';
  if (broken.startsWith('not cleaned')) return 'not cleaned';
  return Object.hasOwn(known, broken) ? (known[broken] ?? 'other') : 'other';
}
