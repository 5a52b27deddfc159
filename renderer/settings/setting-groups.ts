/** The groups of the settings form. A setting that is in no group is listed under `other`. Pure functions. */
import type { SettingView } from '../../main/console/contract.ts';

export const settingGroups = {
  listening: [
    'host',
    'port',
    'base-url',
    'tls-cert',
    'tls-key',
    'tls-passphrase',
    'cors-origins',
    'connections',
    'connections-per-account',
    'connections-per-address',
    'alias',
  ],
  accounts: [
    'accounts',
    'demo',
    'database',
    'database-password-file',
    'encryption-key-file',
    'node-name',
    'signing-certificate',
    'signing-password',
    'timestamp-url',
    'keep-inputs',
  ],
  work: [
    'workers',
    'queue',
    'queue-timeout',
    'job-timeout',
    'max-upload',
    'upload-timeout',
    'max-output',
    'settle-limit',
    'memory-reserve',
    'window-jobs',
    'jobs-queue',
    'jobs-queue-per-account',
  ],
  network: ['network', 'network-allow', 'network-deny', 'upstream-proxy'],
  pages: ['page-requests', 'page-size', 'page-memory', 'webgl'],
  archives: [
    'archive-entries',
    'archive-size',
    'archive-ratio',
    'archive-depth',
    'archive-name',
    'archive-time',
  ],
  records: [
    'jobs-keep',
    'jobs-keep-time',
    'debug-log-keep',
    'logs-per-account',
    'output-keep',
    'outputs-per-account',
    'uploads-per-account',
    'job-files',
  ],
  logs: ['log-level', 'log-format', 'log-file', 'log-file-size', 'log-file-count'],
  service: ['data', 'hot-folders', 'restart', 'hang-timeout', 'tray'],
} as const satisfies Record<string, readonly string[]>;

export type SettingGroup = keyof typeof settingGroups | 'other';

export interface SettingSection {
  readonly group: SettingGroup;
  readonly settings: readonly SettingView[];
}

export function groupOf(name: string): SettingGroup {
  const found = Object.entries(settingGroups).find(([, names]) =>
    (names as readonly string[]).includes(name),
  );
  return (found?.[0] as SettingGroup | undefined) ?? 'other';
}

/** Returns the settings by group, in the order of the groups and of the names within each group. Omits empty groups. */
export function sectionsOf(settings: readonly SettingView[]): SettingSection[] {
  const groups: readonly SettingGroup[] = [...(Object.keys(settingGroups) as SettingGroup[]), 'other'];
  return groups
    .map((group) => ({ group, settings: sorted(group, settings) }))
    .filter((section) => section.settings.length > 0);
}

function sorted(group: SettingGroup, settings: readonly SettingView[]): SettingView[] {
  const inGroup = settings.filter(({ name }) => groupOf(name) === group);
  if (group === 'other') return inGroup;
  const names: readonly string[] = settingGroups[group];
  return inGroup.toSorted((a, b) => names.indexOf(a.name) - names.indexOf(b.name));
}
