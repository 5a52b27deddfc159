/**
 * One file of lines that begins anew when it is full, with the older ones beside it: `name`, `name.1`, ... It is written
 * at once and whole lines at a time; what cannot be written is lost, never the service. It does not know what a line says.
 */
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
import { basename, dirname, join } from 'node:path';

export interface RotatingFileOptions {
  /** Absolute. */
  readonly path: string;
  /** Bytes a file may have; a longer line has a file of its own. */
  readonly size: number;
  /** Files there may be, this one included. */
  readonly count: number;
  /** Called with one sentence when lines begin to be lost, and when they no longer are. */
  readonly complain: (sentence: string) => void;
}

export interface RotatingFile {
  /** Appends a line, its line feed included. Never throws. */
  readonly write: (line: string) => void;
}

interface OpenFile {
  readonly descriptor: number;
  /** Bytes it has, and may have. */
  size: number;
  readonly limit: number;
}

/** Opens the file and takes away old ones beyond the count. @throws Error with one sentence when it cannot be written */
export function openRotatingFile(options: RotatingFileOptions): RotatingFile {
  const { path, complain } = options;
  let file: OpenFile | undefined = openFirst(options);
  let lost = 0;
  const append = (line: Buffer) => {
    file ??= open(options);
    if (isFull(file, line)) {
      const full = file;
      // Should it not come to be open again, its number may be another file's by the next line.
      file = undefined;
      file = rotated(full, options);
    }
    writeWhole(file, line);
    if (lost > 0) complain(`the log file ${path} can be written again; ${lost} lines were lost.`);
    lost = 0;
  };
  return {
    write(line) {
      try {
        append(Buffer.from(line));
      } catch (problem) {
        if (lost === 0)
          complain(`the log file ${path} cannot be written, its lines are lost: ${reasonOf(problem)}.`);
        lost += 1;
      }
    },
  };
}

/** Tries to open one there, and leaves nothing new behind. @throws Error as above */
export function tryRotatingFile({ path, size }: Pick<RotatingFileOptions, 'path' | 'size'>): void {
  const wasThere = existsSync(path);
  try {
    const made = makeFolder(dirname(path));
    try {
      closeSync(open({ path, size }).descriptor);
    } finally {
      if (!wasThere) rmSync(made ?? path, { recursive: true, force: true });
    }
  } catch (problem) {
    throw new Error(`the log file ${path} cannot be written: ${reasonOf(problem)}.`, { cause: problem });
  }
}

function openFirst(options: RotatingFileOptions): OpenFile {
  const { path } = options;
  try {
    makeFolder(dirname(path));
    removeBeyond(options);
    return open(options);
  } catch (problem) {
    throw new Error(`the log file ${path} cannot be written: ${reasonOf(problem)}.`, { cause: problem });
  }
}

/**
 * With those above it; the topmost one that was made. Not by mkdir's `recursive`, which in Node 20 never comes back where the
 * system denies that a folder is there in which it makes none, as in /proc.
 */
function makeFolder(path: string): string | undefined {
  if (existsSync(path)) return undefined;
  const above = makeFolder(dirname(path));
  mkdirSync(path);
  return above ?? path;
}

/** Only a regular file begins anew, and opening a pipe would wait for its reader. */
function open({ path, size }: Pick<RotatingFileOptions, 'path' | 'size'>): OpenFile {
  if (statSync(path, { throwIfNoEntry: false })?.isFile() === false) throw new Error('it is not a file');
  const descriptor = openSync(path, 'a', 0o600);
  return { descriptor, size: fstatSync(descriptor).size, limit: size };
}

/** Asked of the disk before it is believed: somebody else may have emptied the file. */
function isFull(file: OpenFile, { length }: Buffer): boolean {
  if (file.size + length <= file.limit) return false;
  file.size = fstatSync(file.descriptor).size;
  return file.size > 0 && file.size + length > file.limit;
}

/** All of the line, or nothing of it. */
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

/** Windows renames no open file, so it is closed first. */
function rotated({ descriptor, size }: OpenFile, options: RotatingFileOptions): OpenFile {
  closeSync(descriptor);
  try {
    shift(options);
    return open(options);
  } catch (problem) {
    options.complain(`the log file ${options.path} cannot begin anew and grows: ${reasonOf(problem)}.`);
    // Tried again when as much as a file may have has been added.
    return { ...open(options), limit: size + options.size };
  }
}

/** Each file takes the next one's place, the last one's place is lost. */
function shift({ path, count }: RotatingFileOptions): void {
  if (count === 1) rmSync(path);
  for (let number = count - 1; number > 0; number -= 1) {
    const older = number === 1 ? path : `${path}.${number - 1}`;
    if (existsSync(older)) renameSync(older, `${path}.${number}`);
  }
}

/** What an earlier start with a higher count left behind. */
function removeBeyond({ path, count }: RotatingFileOptions): void {
  const prefix = `${basename(path)}.`;
  for (const name of readdirSync(dirname(path))) {
    const number = name.startsWith(prefix) ? name.slice(prefix.length) : '';
    if (/^[1-9]\d{0,3}$/.test(number) && Number(number) >= count) rmSync(join(dirname(path), name));
  }
}

function reasonOf(problem: unknown): string {
  return problem instanceof Error ? problem.message : String(problem);
}
