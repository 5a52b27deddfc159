/** Runs all hot folders: HTML files, SVGs and archives placed in them are converted by jobs of a separate account. */
import { realpath } from 'node:fs/promises';
import { setTimeout as after } from 'node:timers/promises';
import type { Account } from '../accounts/account.ts';
import type { Pause } from '../conversion/admission.ts';
import { nestingProblem } from '../settings/hot-folders.ts';
import type { Settings } from '../settings/table.ts';
import { HotFolder, type HotFolderDependencies, type FolderState } from './hot-folder.ts';
import { JobLimiter } from './job-limiter.ts';

type SharedByFolders = 'limiter' | 'account' | 'jobLimits' | 'maxUpload' | 'findConflict' | 'settings';

interface HotFoldersDependencies extends Omit<HotFolderDependencies, SharedByFolders> {
  readonly settings: Settings & { readonly data: string };
  readonly pause: Pick<Pause, 'refusal'>;
  /** Returns the account of the jobs, and creates it if missing. */
  readonly account: () => Promise<Account>;
  /** Aborts when no new jobs may start. */
  readonly stopSignal: AbortSignal;
}

/** How long disposal waits for running jobs. The job queues are closed by then, so no further job gets a window. */
const shutdownTimeoutMs = 5000;

export class HotFolders implements AsyncDisposable {
  readonly #folders: readonly HotFolder[];
  readonly #stopSignal: AbortSignal;
  #running: Promise<unknown> = Promise.resolve();

  /** Creates the hot folders of the settings. */
  constructor(dependencies: HotFoldersDependencies) {
    const { settings, stopSignal } = dependencies;
    const folderDependencies: HotFolderDependencies = {
      ...dependencies,
      // One more job than there are windows, so that no window is idle while files are read or written.
      limiter: new JobLimiter(settings.workers + 1),
      jobLimits: { jobTimeoutMs: settings['job-timeout'], isPdfcrowdAlias: settings.alias === 'pdfcrowd' },
      maxUpload: settings['max-upload'],
      findConflict: (path) => findConflict(path, settings),
    };
    const paths = settings['hot-folders'] ?? [];
    this.#folders = paths.map((path) => new HotFolder(path, folderDependencies));
    this.#stopSignal = stopSignal;
  }

  get states(): readonly FolderState[] {
    return this.#folders.map(({ state }) => state);
  }

  /** Starts scanning. Call this when the service listens. */
  begin(): void {
    this.#running = Promise.all(this.#folders.map((folder) => folder.run(this.#stopSignal)));
  }

  /** Waits for running jobs. */
  async [Symbol.asyncDispose](): Promise<void> {
    const timer = new AbortController();
    // A scan of a disconnected network drive may block for minutes.
    await Promise.race([
      this.#running,
      after(shutdownTimeoutMs, undefined, { signal: timer.signal }).catch(() => {}),
    ]);
    timer.abort();
  }
}

/**
 * Returns why the folder conflicts with another hot folder or the data folder, or undefined. Compares the paths after links are
 * resolved: two may be the same folder, or one may be inside the data folder.
 */
async function findConflict(
  path: string,
  settings: HotFoldersDependencies['settings'],
): Promise<string | undefined> {
  const resolveLinks = async (folder: string) => realpath(folder).catch(() => folder);
  const realPath = await resolveLinks(path);
  const data = await resolveLinks(settings.data);
  const others = (settings['hot-folders'] ?? []).filter((folder) => folder !== path);
  const pairs = [
    [realPath],
    ...(await Promise.all(others.map(resolveLinks))).map((otherFolder) => [realPath, otherFolder]),
  ];
  return pairs
    .map((pair) => nestingProblem(pair, data)?.replace(/[.]$/, ''))
    .find((why) => why !== undefined);
}
