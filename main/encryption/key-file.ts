/** Reads, creates and replaces files with keys. */
import { open, readFile, rename, rm, stat, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fileErrorReason, isMissingFile } from '../failure/failure.ts';
import { renameWithRetry } from '../files/rename-with-retry.ts';
import { keyBytes } from './cipher.ts';

export const minKeyFileBytes = keyBytes;

interface KeyFileRule {
  /** The name of the setting, for messages. */
  readonly setting: string;
  /** The bits of the mode that are refused. */
  readonly refusedMode: number;
}

/** Reads a key file. @throws Error with a one-sentence message if it cannot be used */
export async function readKeyFile(path: string, { setting, refusedMode }: KeyFileRule): Promise<Buffer> {
  const problem = (reason: string, cause?: unknown) => new Error(`${setting}: ${path} ${reason}.`, { cause });
  const content = await readFile(path).catch((cause: unknown) => {
    throw problem(`cannot be read: ${fileErrorReason(cause as NodeJS.ErrnoException)}`, cause);
  });
  if (content.length < minKeyFileBytes)
    throw problem(
      `has fewer than ${minKeyFileBytes} bytes; create a key, for example with: openssl rand -base64 32`,
    );
  const { mode } = await stat(path);
  if (process.platform !== 'win32' && (mode & refusedMode) !== 0)
    throw problem('can be read by other users; allow only its owner to read it (chmod 600)');
  return content;
}

/**
 * Creates or replaces a key file, which only its owner can read. Overwrites the former content, as far as the file system overwrites
 * anything in place. @throws the error of the file system; the former file is then complete
 */
export async function writeKeyFile(path: string, content: string): Promise<void> {
  const prepared = `${path}.new`;
  // Left behind by a crash.
  await rm(prepared, { force: true });
  await writeDurably(prepared, content);
  // Windows does not replace an open file, and cannot synchronize a folder.
  if (process.platform === 'win32') {
    await renameWithRetry(prepared, path);
    return;
  }
  await using former = await openIfExists(path);
  await rename(prepared, path);
  await using folder = await open(dirname(path), 'r');
  await folder.sync();
  if (former === undefined) return;
  const { size } = await former.stat();
  await former.write(Buffer.alloc(size), 0, size, 0);
  await former.sync();
}

async function writeDurably(path: string, content: string): Promise<void> {
  await using file = await open(path, 'wx', 0o600);
  await file.writeFile(content);
  await file.sync();
}

async function openIfExists(path: string): Promise<FileHandle | undefined> {
  return await open(path, 'r+').catch((problem: unknown) => {
    if (isMissingFile(problem)) return undefined;
    throw problem;
  });
}
