/** The service's own log, on standard error: for the operator, with the whole truth and without secrets. */
import pino from 'pino';
import pretty from 'pino-pretty';
import type { Settings } from '../settings/table.ts';

export type ServiceLog = pino.Logger;

export function openServiceLog(settings: Pick<Settings, 'log-level' | 'log-format'>): ServiceLog {
  const format = settings['log-format'] ?? (process.stderr.isTTY ? 'pretty' : 'json');
  const options = { level: settings['log-level'], base: null, timestamp: pino.stdTimeFunctions.isoTime };
  return format === 'json'
    ? pino(options, pino.destination({ dest: 2, sync: true }))
    : pino(options, pretty({ destination: 2, sync: true, translateTime: 'SYS:HH:MM:ss.l' }));
}
