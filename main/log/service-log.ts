/**
 * The service's own log, on standard error or in a file: for the operator, with the whole truth and without secrets.
 * Lines are written at once, so that the last one before a crash is there too.
 */
import { resolve } from 'node:path';
import pino from 'pino';
import { prettyFactory } from 'pino-pretty';
import type { Settings } from '../settings/table.ts';
import { withoutQuotedCredentials } from './masking.ts';
import { openRotatingFile, tryRotatingFile } from './rotating-file.ts';

export type ServiceLog = pino.Logger;

type LogSettings = Pick<
  Settings,
  'log-level' | 'log-format' | 'log-file' | 'log-file-size' | 'log-file-count'
> & { readonly data: string };

/** What a line about a job begins with. */
export interface JobNames {
  readonly job: string;
  readonly account: string;
  /** The caller's own word for it. */
  readonly tag?: string | undefined;
}

/** `terminal`: people read standard error. @throws Error with one sentence when the log file cannot be written */
export function openServiceLog(settings: LogSettings, terminal: boolean): ServiceLog {
  const options: pino.LoggerOptions = {
    level: settings['log-level'],
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    // An Error is nothing but {} to JSON.
    serializers: { err: pino.stdSerializers.err, cause: pino.stdSerializers.err },
  };
  const file = settings['log-file'];
  const format = settings['log-format'] ?? (file === undefined && terminal ? 'pretty' : 'json');
  const out = file === undefined ? standardError() : logFile(resolve(settings.data, file), settings);
  return pino(
    options,
    withoutCredentialsOver(format === 'json' ? out : prettyOver(out, file === undefined && terminal)),
  );
}

/** Whether a log could be opened. @throws Error with one sentence when its file cannot be written */
export function tryServiceLog({ data, ...settings }: LogSettings): void {
  const file = settings['log-file'];
  if (file !== undefined) tryRotatingFile({ path: resolve(data, file), size: settings['log-file-size'] });
}

/** The one way to a log of which every line names the job. */
export function aboutJob(log: ServiceLog, { job, account, tag }: JobNames): ServiceLog {
  return log.child({ job, account, ...(tag !== undefined && { tag }) });
}

function standardError(): pino.DestinationStream {
  return pino.destination({ dest: 2, sync: true });
}

function logFile(path: string, settings: LogSettings): pino.DestinationStream {
  return openRotatingFile({
    path,
    size: settings['log-file-size'],
    count: settings['log-file-count'],
    complain(sentence) {
      process.stderr.write(`platen: ${sentence}\n`);
    },
  });
}

/** Whatever is told may quote an address: what a caller wrote, where an error was met. */
function withoutCredentialsOver(out: pino.DestinationStream): pino.DestinationStream {
  return {
    write(line) {
      out.write(/[@=]/.test(line) ? cleaned(line) : line);
    },
  };
}

function cleaned(line: string): string {
  const clean = (_key: string, value: unknown) =>
    typeof value === 'string' ? withoutQuotedCredentials(value) : value;
  return `${JSON.stringify(JSON.parse(line), clean)}\n`;
}

/** Line by line and at once, unlike pino-pretty's own stream. */
function prettyOver(out: pino.DestinationStream, colorize: boolean): pino.DestinationStream {
  const pretty = prettyFactory({ translateTime: 'SYS:HH:MM:ss.l', colorize });
  return {
    write(line) {
      out.write(pretty(line));
    },
  };
}
