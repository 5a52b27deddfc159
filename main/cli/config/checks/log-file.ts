/** Whether the service's log can be written where it is to be. */
import { resolve } from 'node:path';
import { tryServiceLog } from '../../../log/service-log.ts';
import type { ConfigCheck } from '../check-of.ts';

export const logFile: ConfigCheck = {
  name: 'log file',
  run({ settings }) {
    tryServiceLog(settings);
    const file = settings['log-file'];
    return file === undefined ? undefined : `${resolve(settings.data, file)} can be written.`;
  },
};
