/** The English catalogue. Each part of the console has its own file. `de.ts` must have the same keys. */
import { accounts } from './en/accounts.ts';
import { call } from './en/call.ts';
import { explain } from './en/explain.ts';
import { jobs } from './en/jobs.ts';
import { nodes } from './en/nodes.ts';
import { run } from './en/run.ts';
import { settings } from './en/settings.ts';
import { shell } from './en/shell.ts';
import { viewer } from './en/viewer.ts';

export const en = {
  ...shell,
  ...call,
  ...run,
  ...viewer,
  ...jobs,
  ...explain,
  ...settings,
  ...accounts,
  ...nodes,
} as const;

export type TextKey = keyof typeof en;
