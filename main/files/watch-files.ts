/** Watches folders for files that the user saves. */
import { normalize, sep } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { watch, type FSWatcher } from 'chokidar';

/** Large folders that contain no documents. */
const ignoredFolders = new Set(['node_modules', '.git']);

/** Time between two polls of a file, on Windows. */
const pollIntervalMs = 250;

/** Events on Windows are unreliable, and a watched folder cannot be removed completely. */
const isPolling = process.platform === 'win32';

interface WatchOptions {
  /** Returns whether changes of a path are ignored. Those in `node_modules` and `.git` below a watched folder always are. */
  readonly isIgnored: (path: string) => boolean;
  /** Number of levels of subfolders that are watched; all by default. */
  readonly depth?: number;
  /** Called with an error of the file system, for example when the limit on file watches is reached. */
  readonly onError: (problem: unknown) => void;
}

/**
 * Watches folders. Files are watched through their folder, because many programs save by replacing the file, which a watch on the
 * file itself would miss. Resolves when later changes are reported as events.
 */
export async function watchFolders(
  folders: readonly string[],
  { isIgnored, depth, onError }: WatchOptions,
): Promise<FSWatcher> {
  const watcher = watch([...folders], {
    ignoreInitial: true,
    followSymlinks: false,
    atomic: false,
    usePolling: isPolling,
    interval: pollIntervalMs,
    ...(depth !== undefined && { depth }),
    // chokidar passes paths with slashes, also on Windows.
    ignored: (path) => isIgnored(normalize(path)) || isInIgnoredFolder(normalize(path), folders),
  });
  watcher.on('error', onError);
  await new Promise<void>((resolve) => {
    watcher.once('ready', resolve);
  });
  // chokidar is ready before the first poll. A file that is saved before it would count as unchanged.
  if (isPolling) await delay(pollIntervalMs);
  return watcher;
}

/** Returns whether a path lies in an ignored folder below one of the watched folders. */
function isInIgnoredFolder(path: string, folders: readonly string[]): boolean {
  const folder = folders.find((candidate) => path.startsWith(candidate)) ?? '';
  return path
    .slice(folder.length)
    .split(sep)
    .some((name) => ignoredFolders.has(name));
}
