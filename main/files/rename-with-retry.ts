/** Replaces files on Windows, where a virus scanner or a viewer may have them open. */
import { open, rename } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';

/** Errors of Windows for a file or target that another program has open without sharing it. */
const heldOpenCodes: ReadonlySet<unknown> = new Set(['EPERM', 'EACCES', 'EBUSY']);

/** Virus scanners release a new file within a second. A viewer with an open PDF does not. */
const retryForMs = 3000;

interface RenameOptions {
  readonly platform?: NodeJS.Platform;
  readonly rename?: (from: string, to: string) => Promise<void>;
}

/**
 * Renames a file or folder and replaces an existing file. On Windows, it tries again for 3 s while another program has one of the
 * files open. @throws the last error of the file system
 */
export async function renameWithRetry(
  from: string,
  to: string,
  { platform = process.platform, rename: attempt = rename }: RenameOptions = {},
): Promise<void> {
  const end = performance.now() + retryForMs;
  for (let delayMs = 20; ; delayMs *= 2) {
    try {
      await attempt(from, to);
      return;
    } catch (problem) {
      const isHeldOpen = heldOpenCodes.has((problem as NodeJS.ErrnoException).code);
      if (platform !== 'win32' || !isHeldOpen || performance.now() + delayMs > end) throw problem;
    }
    await pause(delayMs);
  }
}

/**
 * Returns whether the file does not exist or can be replaced now. On Windows, a file cannot be replaced while another program,
 * such as a PDF viewer, has it open without sharing it. On other systems, an open file can always be replaced.
 */
export async function isReplaceable(
  path: string,
  platform: NodeJS.Platform = process.platform,
): Promise<boolean> {
  if (platform !== 'win32') return true;
  try {
    await (await open(path, 'r+')).close();
    return true;
  } catch (problem) {
    return !heldOpenCodes.has((problem as NodeJS.ErrnoException).code);
  }
}
