/**
 * The reasons for replacing windows, a fixed set for metrics. The service log has the details. Does not use Electron.
 */

export const replacementReasons = [
  'window-jobs reached',
  'crashed',
  'out of memory',
  'killed',
  'timed out',
  'job ended early',
  'job failed',
  'closed by the page',
  'not cleaned',
  'shared process lost',
  'canary failed',
  'closed for memory',
  'other',
] as const;

export type ReplacementReason = (typeof replacementReasons)[number];

/** The `brokenReason` of idle windows that are closed because memory is short. */
export const memoryShortCause = 'the machine is short of memory';

/** The `brokenReason` of windows that were open when the canary (health-monitor.ts) failed. */
export const canaryFailedCause = 'the canary failed while this window was open';

/** Reasons by the value of `EngineWindow.brokenReason`. Some of these values come from Electron's event render-process-gone. */
const reasonByCause: Readonly<Record<string, ReplacementReason>> = {
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
  [canaryFailedCause]: 'canary failed',
  [memoryShortCause]: 'closed for memory',
};

/** Returns the reason for replacing a window. `brokenReason` is undefined for a window that has served window-jobs jobs. */
export function replacementReason(brokenReason: string | undefined): ReplacementReason {
  if (brokenReason === undefined) return 'window-jobs reached';
  if (brokenReason.startsWith('not cleaned')) return 'not cleaned';
  return Object.hasOwn(reasonByCause, brokenReason) ? (reasonByCause[brokenReason] ?? 'other') : 'other';
}
