/** Where an output goes: it is made under another name and put in place when it is whole, so nobody ever finds half of it. */
import { randomBytes } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { open, realpath, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { whyUnusable } from '../../failure/no-room.ts';
import { makeFolder } from '../../launch/make-folder.ts';

/** Disposed, it leaves nothing behind but what was kept. */
export interface Place extends AsyncDisposable {
  /** An empty file, to be written into. */
  readonly path: string;
  /** @throws OutputProblem */
  readonly keep: () => Promise<void>;
}

/** An output that cannot be written; the message says which and why. */
export class OutputProblem extends Error {}

/**
 * `output` absolute, undefined for standard output; `folder` for what does not go beside it.
 * @throws OutputProblem
 */
export async function openPlace(output: string | undefined, folder: string): Promise<Place> {
  const name = `.platen-${randomBytes(8).toString('hex')}.part`;
  try {
    if (output === undefined) return await streamed(join(folder, name));
    const there = await stat(output).catch(() => undefined);
    if (there?.isDirectory() === true) throw new OutputProblem(`the output ${output} is a folder.`);
    // A device or a pipe is written to, not replaced.
    if (there !== undefined && !there.isFile()) return await streamed(join(folder, name), output);
    // A link stays a link.
    const place = there === undefined ? output : await realpath(output);
    makeFolder(dirname(place));
    return await renamed(join(dirname(place), name), place, there?.mode);
  } catch (problem) {
    throw unwritable(output, problem);
  }
}

/** For a file that something else writes into. @throws OutputProblem */
export function makeFolderOf(output: string): void {
  try {
    makeFolder(dirname(output));
  } catch (problem) {
    throw unwritable(output, problem);
  }
}

/** `mode`: of the older output, which may be closed to others. */
async function renamed(path: string, place: string, mode?: number): Promise<Place> {
  await create(path, mode);
  return {
    path,
    keep: () =>
      rename(path, place).catch((problem: unknown) => {
        throw unwritable(place, problem);
      }),
    [Symbol.asyncDispose]: () => rm(path, { force: true, maxRetries: 3 }),
  };
}

async function streamed(path: string, output?: string): Promise<Place> {
  await create(path);
  return {
    path,
    async keep() {
      try {
        if (output !== undefined) await pipeline(createReadStream(path), createWriteStream(output));
        else await pipeline(createReadStream(path), process.stdout, { end: false });
      } catch (problem) {
        throw unwritable(output, problem);
      }
    },
    [Symbol.asyncDispose]: () => rm(path, { force: true, maxRetries: 3 }),
  };
}

async function create(path: string, mode?: number): Promise<void> {
  await using file = await open(path, 'wx');
  // Nobody could write into one that is read-only.
  if (mode !== undefined) await file.chmod((mode & 0o777) | 0o600);
}

/** What says so, of an output as openPlace has it. */
export function unwritable(output: string | undefined, problem: unknown): Error {
  if (problem instanceof OutputProblem) return problem;
  const { code } = problem as NodeJS.ErrnoException;
  const known: Readonly<Partial<Record<string, string>>> = {
    EPIPE: 'nobody reads it any more',
    EBUSY: 'another program has it open',
    ENOENT: 'its folder cannot be made',
    ENOTDIR: 'a part of its path is a file',
    EEXIST: 'a part of its path is a file',
  };
  const why = known[code ?? ''] ?? whyUnusable(problem as NodeJS.ErrnoException);
  return new OutputProblem(`the output ${output ?? '- (standard output)'} cannot be written: ${why}.`, {
    cause: problem,
  });
}
