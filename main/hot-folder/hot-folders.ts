/** Hot folders: whatever HTML, SVG or archive comes to lie in them is converted, by jobs of an account of their own. */
import { realpath } from 'node:fs/promises';
import { setTimeout as after } from 'node:timers/promises';
import type { Account } from '../accounts/account.ts';
import type { Pausing } from '../pausing.ts';
import { nestedFolders } from '../settings/hot-folders.ts';
import type { Settings } from '../settings/table.ts';
import { openHotFolder, type FolderParts, type FolderState } from './hot-folder.ts';
import { openTurns } from './turns.ts';

export interface HotFolders extends AsyncDisposable {
  /** To be called when the service listens. */
  readonly begin: () => void;
  readonly states: () => readonly FolderState[];
}

type OwnParts = 'turns' | 'account' | 'limits' | 'maxUpload' | 'refusal' | 'settings';

export interface HotFoldersParts extends Omit<FolderParts, OwnParts> {
  readonly settings: Settings & { readonly data: string };
  readonly pausing: Pick<Pausing, 'refusal'>;
  /** The account of their jobs, made when there is none. */
  readonly account: () => Promise<Account>;
  /** Aborts when no more jobs shall begin. */
  readonly told: AbortSignal;
}

/** Milliseconds; when it is disposed no job can have a window any more. */
const patience = 5000;

/** Disposed, it waits for the jobs under way. */
export function openHotFolders(parts: HotFoldersParts): HotFolders {
  const { settings, told } = parts;
  const paths = settings['hot-folders'] ?? [];
  const own = {
    // One more than there are windows, so that none waits for a file to be read or written.
    turns: openTurns(settings.workers + 1),
    limits: { jobTimeout: settings['job-timeout'], twin: settings.alias === 'pdfcrowd' },
    maxUpload: settings['max-upload'],
    refusal: (path: string) => refusalOf(path, settings),
  };
  const folders = paths.map((path) => openHotFolder(path, { ...parts, ...own }));
  let running: Promise<unknown> = Promise.resolve();
  return {
    begin() {
      running = Promise.all(folders.map((folder) => folder.run(told)));
    },
    states: () => folders.map((folder) => folder.state()),
    async [Symbol.asyncDispose]() {
      const patient = new AbortController();
      // A drive that has gone may leave a look without an answer for minutes.
      await Promise.race([running, after(patience, undefined, { signal: patient.signal }).catch(() => {})]);
      patient.abort();
    },
  };
}

/** Links may have led two of them to one place, or one into the data folder. */
async function refusalOf(path: string, settings: HotFoldersParts['settings']): Promise<string | undefined> {
  const real = async (one: string) => realpath(one).catch(() => one);
  const [own, data] = [await real(path), await real(settings.data)];
  const others = (settings['hot-folders'] ?? []).filter((one) => one !== path);
  const pairs = [[own], ...(await Promise.all(others.map(real))).map((other) => [own, other])];
  return pairs.map((pair) => nestedFolders(pair, data)?.replace(/[.]$/, '')).find((why) => why !== undefined);
}
