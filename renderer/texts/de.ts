/** The German catalogue. It has the same keys as the English catalogue. */
import { accounts } from './de/accounts.ts';
import { call } from './de/call.ts';
import { explain } from './de/explain.ts';
import { jobs } from './de/jobs.ts';
import { nodes } from './de/nodes.ts';
import { run } from './de/run.ts';
import { settings } from './de/settings.ts';
import { shell } from './de/shell.ts';
import { viewer } from './de/viewer.ts';
import type { TextKey } from './en.ts';

export const de: Readonly<Record<TextKey, string>> = {
  ...shell,
  ...call,
  ...run,
  ...viewer,
  ...jobs,
  ...explain,
  ...settings,
  ...accounts,
  ...nodes,
};
