/**
 * The service log for the operator, on standard error or in a file, with all details but without secrets. Lines are written
 * synchronously, so that the last line before a crash is not lost.
 */
import { resolve, basename, dirname, join } from 'node:path';
import pino from 'pino';
import { prettyFactory } from 'pino-pretty';
import {
  closeSync,
  existsSync,
  fstatSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import type { Settings } from '../settings/table.ts';
import { withoutQuotedCredentials } from './masking.ts';
import { messageOf } from '../failure/failure.ts';

export type ServiceLog = pino.Logger;

type LogSettings = Pick<
  Settings,
  'log-level' | 'log-format' | 'log-file' | 'log-file-size' | 'log-file-count'
> & { readonly data: string };

/** The fields of each line about a job. */
interface JobFields {
  readonly job: string;
  readonly account: string;
  /** The value of the job's option `tag`. */
  readonly tag?: string | undefined;
}

/** Opens the log. `isTerminal`: whether standard error is a terminal. @throws Error if the log file cannot be written */
export function openServiceLog(settings: LogSettings, isTerminal: boolean): ServiceLog {
  const options: pino.LoggerOptions = {
    level: settings['log-level'],
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    // JSON.stringify turns an Error into {}.
    serializers: { err: pino.stdSerializers.err, cause: pino.stdSerializers.err },
  };
  const file = settings['log-file'];
  const format = settings['log-format'] ?? (file === undefined && isTerminal ? 'pretty' : 'json');
  const out = file === undefined ? standardError() : logFile(resolve(settings.data, file), settings);
  return pino(
    options,
    maskingStream(format === 'json' ? out : prettyStream(out, file === undefined && isTerminal)),
  );
}

/** Checks whether the log can be opened. @throws Error if the log file cannot be written */
export function checkServiceLog({ data, ...settings }: LogSettings): void {
  const file = settings['log-file'];
  if (file !== undefined) checkRotatingFile({ path: resolve(data, file), size: settings['log-file-size'] });
}

/** Returns a log that adds the job's fields to each line. */
export function withJobFields(log: ServiceLog, { job, account, tag }: JobFields): ServiceLog {
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
    onProblem(message) {
      process.stderr.write(`platen: ${message}\n`);
    },
  });
}

/** Masks credentials in every line: values from callers and error messages may contain addresses with credentials. */
function maskingStream(out: pino.DestinationStream): pino.DestinationStream {
  return {
    write(line) {
      out.write(/[@=]/.test(line) ? maskLine(line) : line);
    },
  };
}

function maskLine(line: string): string {
  const maskText = (_key: string, value: unknown) =>
    typeof value === 'string' ? withoutQuotedCredentials(value) : value;
  return `${JSON.stringify(JSON.parse(line), maskText)}\n`;
}

/** Returns a stream that formats each line synchronously, unlike the stream of pino-pretty. */
function prettyStream(out: pino.DestinationStream, colorize: boolean): pino.DestinationStream {
  const pretty = prettyFactory({ translateTime: 'SYS:HH:MM:ss.l', colorize });
  return {
    write(line) {
      out.write(pretty(line));
    },
  };
}

// A log file that is rotated when it is full: `name`, `name.1`, ... Whole lines are written synchronously. Lines that cannot be
// written are lost and reported; the service continues.

export interface RotatingFileOptions {
  /** Absolute path of the file. */
  readonly path: string;
  /** Maximum size of a file in bytes. A longer line is written to a separate file. */
  readonly size: number;
  /** Maximum number of files, including the current file. */
  readonly count: number;
  /** Called with a message when the first line is lost, when lines can be written again, and when rotation fails. */
  readonly onProblem: (message: string) => void;
}

interface RotatingFile {
  /** Appends a line, which includes its line feed. Never throws. */
  readonly write: (line: string) => void;
}

interface OpenFile {
  readonly descriptor: number;
  /** Current size in bytes. */
  size: number;
  /** Maximum size in bytes. */
  readonly limit: number;
}

/** Opens the file and deletes old files beyond `count`. @throws Error if the file cannot be written */
export function openRotatingFile(options: RotatingFileOptions): RotatingFile {
  const { path, onProblem } = options;
  let file: OpenFile | undefined = prepareAndOpen(options);
  let lostLines = 0;
  const append = (line: Buffer) => {
    file ??= open(options);
    if (isFull(file, line)) {
      const full = file;
      // If reopening fails, the old descriptor may belong to another file when the next line is written.
      file = undefined;
      file = rotate(full, options);
    }
    writeWhole(file, line);
    if (lostLines > 0) onProblem(`the log file ${path} can be written again; ${lostLines} lines were lost.`);
    lostLines = 0;
  };
  return {
    write(line) {
      try {
        append(Buffer.from(line));
      } catch (problem) {
        if (lostLines === 0)
          onProblem(`the log file ${path} cannot be written, and log lines are lost: ${messageOf(problem)}.`);
        lostLines += 1;
      }
    },
  };
}

/** Opens the file as a test, then deletes the file and folders created by the test. @throws Error if the file cannot be written */
function checkRotatingFile({ path, size }: Pick<RotatingFileOptions, 'path' | 'size'>): void {
  const existed = existsSync(path);
  try {
    const created = makeFolder(dirname(path));
    try {
      closeSync(open({ path, size }).descriptor);
    } finally {
      if (!existed) rmSync(created ?? path, { recursive: true, force: true });
    }
  } catch (problem) {
    throw new Error(`the log file ${path} cannot be written: ${messageOf(problem)}.`, { cause: problem });
  }
}

function prepareAndOpen(options: RotatingFileOptions): OpenFile {
  const { path } = options;
  try {
    makeFolder(dirname(path));
    removeExcessFiles(options);
    return open(options);
  } catch (problem) {
    throw new Error(`the log file ${path} cannot be written: ${messageOf(problem)}.`, { cause: problem });
  }
}

/**
 * Creates a folder and its missing parents, and returns the topmost folder that it created. Does not use mkdir's `recursive`:
 * in Node 20 it never returns in folders such as /proc, where creating a folder fails with ENOENT.
 */
function makeFolder(path: string): string | undefined {
  if (existsSync(path)) return undefined;
  // On Windows, the top of a path is a drive, which may be missing.
  if (dirname(path) === path) throw new Error(`${path} does not exist`);
  const topmost = makeFolder(dirname(path));
  mkdirSync(path);
  return topmost ?? path;
}

/** Opens a regular file. @throws Error for other files: they cannot be rotated, and opening a pipe would wait for its reader. */
function open({ path, size }: Pick<RotatingFileOptions, 'path' | 'size'>): OpenFile {
  if (statSync(path, { throwIfNoEntry: false })?.isFile() === false)
    throw new Error('it is not a regular file');
  const descriptor = openSync(path, 'a', 0o600);
  return { descriptor, size: fstatSync(descriptor).size, limit: size };
}

/** Returns whether the line does not fit. Reads the file's size from disk first: another program may have truncated the file. */
function isFull(file: OpenFile, { length }: Buffer): boolean {
  if (file.size + length <= file.limit) return false;
  file.size = fstatSync(file.descriptor).size;
  return file.size > 0 && file.size + length > file.limit;
}

/** Writes the whole line. If that fails, removes the part already written. */
function writeWhole(file: OpenFile, line: Buffer): void {
  const { descriptor } = file;
  let written = 0;
  try {
    while (written < line.length) written += writeSync(descriptor, line, written);
    file.size += line.length;
  } catch (problem) {
    if (written > 0) ftruncateSync(descriptor, fstatSync(descriptor).size - written);
    throw problem;
  }
}

/** Closes the file, because Windows cannot rename an open file. Then renames the files and opens a new one. */
function rotate({ descriptor, size }: OpenFile, options: RotatingFileOptions): OpenFile {
  closeSync(descriptor);
  try {
    renameOlderFiles(options);
    return open(options);
  } catch (problem) {
    options.onProblem(
      `the log file ${options.path} cannot be rotated and exceeds its size: ${messageOf(problem)}.`,
    );
    // Rotation is tried again after another `size` bytes.
    return { ...open(options), limit: size + options.size };
  }
}

/** Renames each file to the next number. Replaces the last file, or deletes it if it is the only file. */
function renameOlderFiles({ path, count }: RotatingFileOptions): void {
  if (count === 1) rmSync(path);
  for (let number = count - 1; number > 0; number -= 1) {
    const older = number === 1 ? path : `${path}.${number - 1}`;
    if (existsSync(older)) renameSync(older, `${path}.${number}`);
  }
}

/** Deletes files with numbers beyond `count`, which an earlier run with a higher `count` left. */
function removeExcessFiles({ path, count }: RotatingFileOptions): void {
  const prefix = `${basename(path)}.`;
  for (const name of readdirSync(dirname(path))) {
    const number = name.startsWith(prefix) ? name.slice(prefix.length) : '';
    if (/^[1-9]\d{0,3}$/.test(number) && Number(number) >= count) rmSync(join(dirname(path), name));
  }
}
