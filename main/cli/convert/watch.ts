/**
 * `--watch`: converts all pages, keeps running, and converts pages again when they are saved. If another file is saved, all pages
 * that may use it are converted.
 */
import { dirname, sep } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import type { FSWatcher } from 'chokidar';
import { watchFolders } from '../../files/watch-files.ts';
import { exitCodes } from './exit-codes.ts';
import type { ConversionItem, ConversionPlan } from './plan.ts';
import { runAndReport, type ConvertRun } from './progress/run-with-progress.ts';

/** A save counts as complete after this time without further events. */
const debounceMs = 100;

/** Runs until interrupted, then returns the exit code for success. @throws Error if no item can be converted */
export async function watchAndConvert(run: ConvertRun): Promise<number> {
  const changes = openChangeQueue();
  const ownOutputs = new Set(outputsOf(run.plan));
  const watcher = await watchPlan(run.plan, ownOutputs, { add: changes.add, warn: run.progress.log });
  try {
    let plan = run.plan;
    await runAndReport(plan.items, run);
    reportWatching(run);
    for (;;) {
      const changed = await changes.next(run.signal);
      if (changed.size === 0) return exitCodes.success;
      run.converter.invalidateFiles();
      plan = (await run.replan().catch(() => undefined)) ?? plan;
      for (const path of outputsOf(plan)) ownOutputs.add(path);
      const items = affectedItems(plan, changed);
      if (items.length === 0) continue;
      await runAndReport(items, { ...run, force: true });
      reportWatching(run);
    }
  } finally {
    await watcher.close();
  }
}

function reportWatching({ signal, progressOptions, progress }: ConvertRun): void {
  if (!signal.aborted && !progressOptions.quiet) progress.log('Watching for changes; press Ctrl-C to stop.');
}

interface ChangeQueue {
  readonly add: (path: string) => void;
  /**
   * Waits until files have changed and no event has arrived for `debounceMs`. Resolves with the paths that have changed since the
   * last call, or with an empty set after an abort.
   */
  readonly next: (signal: AbortSignal) => Promise<ReadonlySet<string>>;
}

function openChangeQueue(): ChangeQueue {
  let paths = new Set<string>();
  let lastEventMs = -Infinity;
  let wake = () => {};
  return {
    add(path) {
      paths.add(path);
      lastEventMs = performance.now();
      wake();
    },
    async next(signal) {
      while (!signal.aborted && (paths.size === 0 || performance.now() - lastEventMs < debounceMs)) {
        if (paths.size > 0) await after(debounceMs, undefined, { signal }).catch(() => {});
        else await waitForWake(signal, (call) => (wake = call));
      }
      const changed = signal.aborted ? new Set<string>() : paths;
      paths = new Set();
      return changed;
    },
  };
}

function waitForWake(signal: AbortSignal, subscribe: (wake: () => void) => void): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      signal.removeEventListener('abort', end);
      resolve();
    };
    signal.addEventListener('abort', end);
    subscribe(end);
  });
}

/** Returns the changed pages and, for each other changed file, the pages whose asset root contains it. */
function affectedItems({ items }: ConversionPlan, changed: ReadonlySet<string>): ConversionItem[] {
  const pages = new Set(items.map(inputPath));
  const others = [...changed].filter((path) => !pages.has(path));
  return items.filter((item) => {
    const root = item.siblingFolder?.root;
    return (
      changed.has(inputPath(item)) ||
      (root !== undefined && others.some((path) => path.startsWith(root.endsWith(sep) ? root : root + sep)))
    );
  });
}

function outputsOf({ items }: ConversionPlan): string[] {
  return items.flatMap(({ output, debugLog }) => [output ?? [], debugLog ?? []].flat());
}

function inputPath({ input }: ConversionItem): string {
  return input.kind === 'file' ? input.path : '';
}

/**
 * Returns an error handler that reports the first error about limits on file watches. Other errors are ignored: a path that can no
 * longer be watched, such as on a removed drive, does not change.
 */
export function watchErrorHandler(warn: (line: string) => void): (problem: unknown) => void {
  let hasWarned = false;
  return (problem) => {
    const { code } = problem as NodeJS.ErrnoException;
    if (hasWarned || (code !== 'ENOSPC' && code !== 'EMFILE')) return;
    hasWarned = true;
    warn(
      `platen: the system limit on file watches is reached (${code}), so some changes will be missed; watch fewer folders, or raise ${watchLimits[code]}.`,
    );
  };
}

/** How to raise the limits: inotify(7). */
const watchLimits = {
  ENOSPC: 'their number: sysctl fs.inotify.max_user_watches=524288',
  EMFILE: 'the number of watchers or of open files: sysctl fs.inotify.max_user_instances=1024, ulimit -n',
} as const;

/** Watches the folders of the files. Ignores the outputs of this run. */
async function watchPlan(
  { items }: ConversionPlan,
  ownOutputs: ReadonlySet<string>,
  { add, warn }: Pick<ChangeQueue, 'add'> & { readonly warn: (line: string) => void },
): Promise<FSWatcher> {
  const folders = items.flatMap(({ input, siblingFolder }) =>
    input.kind === 'file' ? [siblingFolder?.root ?? dirname(input.path), input.base] : [],
  );
  const watcher = await watchFolders([...new Set(folders)], {
    isIgnored: (path) => ownOutputs.has(path),
    onError: watchErrorHandler(warn),
  });
  watcher.on('all', (event, path) => {
    if (!event.endsWith('Dir') && !/(?<![^\\/])\.[^\\/]*$/.test(path) && !ownOutputs.has(path)) add(path);
  });
  return watcher;
}
