/** Where whoever looks for logs finds them. */
import { dirname, resolve } from 'node:path';
import type { Settings } from '../settings/table.ts';

/** That of the log file; without one the data folder, with the debug logs. */
export function logsFolder(settings: Pick<Settings, 'log-file'> & { readonly data: string }): string {
  const file = settings['log-file'];
  return file === undefined ? settings.data : dirname(resolve(settings.data, file));
}
