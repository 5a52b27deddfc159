/** `--watch`: converts, stays, and converts anew what is saved; all that may use a file beside, when that is saved. */
import { dirname, sep } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { watch, type FSWatcher } from 'chokidar';
import { exitCodes } from './exit-codes.ts';
import type { Item, Plan } from './plan.ts';
import { runAndTell, type Run } from './run-and-tell.ts';

/** Milliseconds without a further event after which a save is over. */
const settling = 100;

/** Until it is ended, which is its good end. @throws Error when nothing can be converted */
export async function watchAndConvert(run: Run): Promise<number> {
  const [changes, own] = [openChanges(), new Set(outputsOf(run.plan))];
  const watcher = await watchPlan(run.plan, own, { add: changes.add, tell: run.teller.note });
  try {
    let plan = run.plan;
    await runAndTell(plan.items, run);
    tellWatching(run);
    for (;;) {
      const changed = await changes.taken(run.signal);
      if (changed.size === 0) return exitCodes.well;
      run.converter.changed();
      plan = (await run.replan().catch(() => undefined)) ?? plan;
      for (const path of outputsOf(plan)) own.add(path);
      const items = touched(plan, changed);
      if (items.length === 0) continue;
      await runAndTell(items, { ...run, force: true });
      tellWatching(run);
    }
  } finally {
    await watcher.close();
  }
}

function tellWatching({ signal, manner, teller }: Run): void {
  if (!signal.aborted && !manner.quiet) teller.note('Watching; Ctrl-C ends it.');
}

interface Changes {
  readonly add: (path: string) => void;
  /** Those since the last time, as soon as there are some and nothing more comes for a moment; none when it is ended. */
  readonly taken: (signal: AbortSignal) => Promise<ReadonlySet<string>>;
}

function openChanges(): Changes {
  let [paths, last, wake] = [new Set<string>(), -Infinity, () => {}];
  return {
    add(path) {
      paths.add(path);
      last = performance.now();
      wake();
    },
    async taken(signal) {
      while (!signal.aborted && (paths.size === 0 || performance.now() - last < settling)) {
        if (paths.size > 0) await after(settling, undefined, { signal }).catch(() => {});
        else await woken(signal, (call) => (wake = call));
      }
      const taken = signal.aborted ? new Set<string>() : paths;
      paths = new Set();
      return taken;
    },
  };
}

function woken(signal: AbortSignal, waker: (call: () => void) => void): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      signal.removeEventListener('abort', end);
      resolve();
    };
    signal.addEventListener('abort', end);
    waker(end);
  });
}

/** A page that was saved is meant alone; what else was saved, all may use that have it in their folder. */
function touched({ items }: Plan, changed: ReadonlySet<string>): Item[] {
  const pages = new Set(items.map(pathOf));
  const others = [...changed].filter((path) => !pages.has(path));
  return items.filter((item) => {
    const root = item.beside?.root;
    return (
      changed.has(pathOf(item)) ||
      (root !== undefined && others.some((path) => path.startsWith(root.endsWith(sep) ? root : root + sep)))
    );
  });
}

function outputsOf({ items }: Plan): string[] {
  return items.flatMap(({ output, debugLog }) => [output ?? [], debugLog ?? []].flat());
}

function pathOf({ input }: Item): string {
  return input.kind === 'file' ? input.path : '';
}

/**
 * Takes a watcher's errors, and tells the first that is of the system's watches. Of others nothing is told: what cannot be watched
 * any more, such as a drive that has gone, changes no more.
 */
export function tellOfWatches(tell: (line: string) => void): (problem: unknown) => void {
  let told = false;
  return (problem) => {
    const { code } = problem as NodeJS.ErrnoException;
    if (told || (code !== 'ENOSPC' && code !== 'EMFILE')) return;
    told = true;
    tell(
      `platen: this system allows no more watches (${code}), so some of what is saved will go unseen; watch fewer folders, or raise ${watchLimits[code]}.`,
    );
  };
}

/** inotify(7). */
const watchLimits = {
  ENOSPC: 'their number: sysctl fs.inotify.max_user_watches=524288',
  EMFILE: 'the number of watchers or of open files: sysctl fs.inotify.max_user_instances=1024, ulimit -n',
} as const;

/** Whole folders of other people's files, which no document is made of. */
const unwatched = new Set(['node_modules', '.git']);

/**
 * A file is watched in its folder: a program that saves puts a new file in its place, whose changes the old one's watch would miss.
 * What we write ourselves is nobody's change.
 */
async function watchPlan(
  { items }: Plan,
  own: ReadonlySet<string>,
  { add, tell }: Pick<Changes, 'add'> & { readonly tell: (line: string) => void },
): Promise<FSWatcher> {
  const folders = items.flatMap(({ input, beside }) =>
    input.kind === 'file' ? [beside?.root ?? dirname(input.path), input.base] : [],
  );
  const watcher = watch([...new Set(folders)], {
    ...{ ignoreInitial: true, followSymlinks: false, atomic: false },
    ignored: (path) => own.has(path) || path.split(sep).some((name) => unwatched.has(name)),
  });
  watcher.on('all', (event, path) => {
    if (!event.endsWith('Dir') && !/(^|[\\/])\.[^\\/]*$/.test(path) && !own.has(path)) add(path);
  });
  watcher.on('error', tellOfWatches(tell));
  await new Promise<void>((resolve) => {
    watcher.once('ready', resolve);
  });
  return watcher;
}
