/**
 * Writes outputs. A file is written under a temporary name and renamed when complete, so that readers never see a partial output.
 */
import { randomBytes } from 'node:crypto';
import { createReadStream, createWriteStream, statSync } from 'node:fs';
import { open, realpath, rm, stat } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { fileErrorReason } from '../../failure/failure.ts';
import { makeFolder } from '../../launch/make-folder.ts';
import { renameWithRetry } from '../../files/rename-with-retry.ts';

/** An output that is being written. Disposing deletes the temporary file. */
interface OutputFile extends AsyncDisposable {
  /** Path of an empty file that receives the output. */
  readonly path: string;
  /** Completes the output. @throws OutputProblem */
  readonly commit: () => Promise<void>;
}

/** Thrown if an output cannot be written. The message names the output and the reason. */
export class OutputProblem extends Error {}

/**
 * Opens an output for writing. `output` is an absolute path, or undefined for standard output. `folder` is for temporary files that
 * cannot be beside the output.
 * @throws OutputProblem
 */
export async function openOutputFile(output: string | undefined, folder: string): Promise<OutputFile> {
  const name = `.platen-${randomBytes(8).toString('hex')}.part`;
  try {
    if (output === undefined) return await copyOnCommit(join(folder, name));
    const existing = await stat(output).catch(() => undefined);
    if (existing?.isDirectory() === true) throw new OutputProblem(`the output ${output} is a folder.`);
    // Devices and pipes are written to, not replaced.
    if (existing !== undefined && !existing.isFile()) return await copyOnCommit(join(folder, name), output);
    // The target of a symbolic link is replaced, not the link.
    const target = existing === undefined ? output : await realpath(output);
    makeFolder(dirname(target));
    return await renameOnCommit(join(dirname(target), name), target, existing?.mode);
  } catch (problem) {
    throw toOutputProblem(output, problem);
  }
}

/** Creates the folder of a file that another function writes. @throws OutputProblem */
export function makeParentFolder(output: string): void {
  try {
    makeFolder(dirname(output));
  } catch (problem) {
    throw toOutputProblem(output, problem);
  }
}

/** Creates a file at `path`, which `commit` renames to `target`. `mode` is the mode of an existing output, which may be private. */
async function renameOnCommit(path: string, target: string, mode?: number): Promise<OutputFile> {
  await createFile(path, mode);
  return {
    path,
    commit: () =>
      renameWithRetry(path, target).catch((problem: unknown) => {
        throw toOutputProblem(target, problem);
      }),
    [Symbol.asyncDispose]: () => rm(path, { force: true, maxRetries: 3 }),
  };
}

async function copyOnCommit(path: string, output?: string): Promise<OutputFile> {
  await createFile(path);
  return {
    path,
    async commit() {
      try {
        if (output !== undefined) await pipeline(createReadStream(path), createWriteStream(output));
        else await pipeline(createReadStream(path), process.stdout, { end: false });
      } catch (problem) {
        throw toOutputProblem(output, problem);
      }
    },
    [Symbol.asyncDispose]: () => rm(path, { force: true, maxRetries: 3 }),
  };
}

async function createFile(path: string, mode?: number): Promise<void> {
  await using file = await open(path, 'wx');
  // Adds write permission, because the existing output may be read-only.
  if (mode !== undefined) await file.chmod((mode & 0o777) | 0o600);
}

/** Returns the error as an OutputProblem. `output` has the same meaning as for `openOutputFile`. */
export function toOutputProblem(output: string | undefined, problem: unknown): Error {
  if (problem instanceof OutputProblem) return problem;
  const { code } = problem as NodeJS.ErrnoException;
  const reasons: Readonly<Partial<Record<string, string>>> = {
    EPIPE: 'the process that reads it has exited',
    EBUSY: 'another program has it open',
    ENOENT: 'its folder cannot be created',
    ENOTDIR: 'a part of its path is a file',
    EEXIST: 'a part of its path is a file',
  };
  const why = reasons[code ?? ''] ?? fileErrorReason(problem as NodeJS.ErrnoException);
  return new OutputProblem(`the output ${output ?? '- (standard output)'} cannot be written: ${why}.`, {
    cause: problem,
  });
}

/** Returns the deepest folder that is or contains all of these absolute paths; undefined for an empty list. */
export function sharedFolder(folders: readonly string[]): string | undefined {
  const [first, ...others] = folders.map((folder) => folder.split(sep));
  if (first === undefined) return undefined;
  const length = first.findIndex((name, index) => others.some((folder) => folder[index] !== name));
  const shared = (length < 0 ? first : first.slice(0, length)).join(sep);
  return shared === '' || /^[a-z]:$/i.test(shared) ? `${shared}${sep}` : shared;
}

/** Normalises a path, so that two paths are equal if a case-insensitive file system treats them as equal. */
export function foldCase(path: string): string {
  return path.normalize('NFC').toLowerCase();
}

/** Returns whether the path is an existing folder or ends with a separator. */
export function isFolderPath(path: string): boolean {
  if (/[\\/]$/.test(path)) return true;
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}
