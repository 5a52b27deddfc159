/** The interface to a platform's service manager. */
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import type { StoredPlan, ServicePlan, ServiceId } from './plan.ts';

export interface ServiceHost {
  /** Returns the user and the data folder of a new service. */
  readonly defaults: (id: ServiceId) => Pick<StoredPlan, 'as' | 'data'>;
  /** Returns the service definition as text. */
  readonly definition: (plan: ServicePlan) => string;
  /** Returns the installed definition; undefined if there is none. */
  readonly readInstalled: (id: ServiceId) => Promise<string | undefined>;
  /** Returns why this user may not change the service and what to do instead; undefined if there is no obstacle. */
  readonly findObstacle: (id: ServiceId) => Promise<string | undefined>;
  /**
   * Creates the system user that runs the service, if it does not exist, and resolves with its ids. Resolves with undefined if the
   * platform does not use numeric ids, and for a service of the current user.
   * @throws Error with a one-sentence message
   */
  readonly ensureUser: (plan: StoredPlan) => Promise<Identity | undefined>;
  /**
   * Restricts access to the data folder to the service's user and administrators (Windows). `isNew`: whether this command has created
   * the folder. @throws Error with a one-sentence message if others own the folder or may write to it
   */
  readonly secureDataFolder?: (plan: StoredPlan, isNew: boolean) => Promise<void>;
  /**
   * Lets the service's user write to a folder of `--writable` (Windows). On other systems, the owner of the folder does that.
   * @throws Error with a one-sentence message
   */
  readonly allowWriting?: (plan: StoredPlan, folder: string) => Promise<void>;
  /**
   * Installs the definition and enables the start at boot, or at login for a user service. On Windows, `start` enables it.
   * @throws Error with a one-sentence message
   */
  readonly install: (plan: ServicePlan) => Promise<void>;
  /** Lets other machines connect to the service through the system's firewall (Windows). @throws Error with a one-sentence message */
  readonly allowConnections?: (plan: ServicePlan) => Promise<void>;
  /** Returns why the service's user cannot run the program, and what to do instead; undefined if there is no obstacle (Windows). */
  readonly findProgramObstacle?: (plan: ServicePlan) => string | undefined;
  /**
   * Runs `platen` once with these arguments, started by the service manager as the service's user. Its output goes through
   * `outputFile`, which that user must be able to write. Absent on Linux, where programs can run as another user without the
   * service manager.
   */
  readonly runOnce?: (plan: ServicePlan, args: readonly string[], outputFile: string) => Promise<OneTimeRun>;
  /** Stops and removes the service. @throws Error with a one-sentence message */
  readonly uninstall: (plan: StoredPlan) => Promise<void>;
  readonly start: (plan: StoredPlan) => Promise<void>;
  /** Stops the service. Resolves when it has ended. */
  readonly stop: (plan: StoredPlan) => Promise<void>;
  readonly state: (id: ServiceId) => Promise<InstalledServiceState>;
  /** Returns the shell command that shows the log of the service. */
  readonly logCommand: (plan: StoredPlan) => string;
  /** Settings that a service needs on this platform, such as a log file. */
  readonly settings: Readonly<Record<string, string>>;
  /**
   * Finds the services whose program is in the folder of an installation: of all users as far as this user may change them. `labels`
   * names services of other users that can only be found while they run (Linux). @throws Error with a one-sentence message
   */
  readonly findServices: (
    installation: string,
    labels: readonly string[],
  ) => Promise<readonly FoundService[]>;
  /** Completes the installation. Returns a step that the user must do by hand, as a sentence; undefined if there is none. */
  readonly finishInstall?: (plan: StoredPlan) => Promise<string | undefined>;
}

/** A service of an installation, which may belong to another user. */
export interface FoundService {
  /** Identifies the service on this machine: the name of its task, or its name and the user's. */
  readonly label: string;
  readonly plan: StoredPlan;
  /** Whether it runs, or the service manager starts it without a request. */
  readonly isStarted: boolean;
  /** Stops the service until `start` is called. Resolves when it has ended. */
  readonly stop: () => Promise<void>;
  readonly start: () => Promise<void>;
  /** Stops and removes the service. @throws Error with a one-sentence message */
  readonly uninstall: () => Promise<void>;
}

/** Numeric ids of a user and its primary group. */
export interface Identity {
  readonly uid: number;
  readonly gid: number;
}

export interface InstalledServiceState {
  readonly running: boolean;
  /** Completes a sentence of the form "the service is ...". */
  readonly description: string;
}

export const needsRoot = 'a system service requires root';

/** The end of a program that the service manager has run once. */
export interface OneTimeRun {
  /** The exit code; undefined if the program did not start, was killed or did not end in time. */
  readonly code: number | undefined;
  /** Standard output and standard error. */
  readonly output: string;
  /** The state that the service manager reported last, for messages. */
  readonly description: string;
}

/** Time limit of a one-time run. A self-test takes 10 s, and a virus scanner can multiply the time of the first start. */
const oneTimeRunTimeoutMs = 180_000;
const pollIntervalMs = 250;

export interface OneTimeState {
  readonly hasEnded: boolean;
  readonly code: number | undefined;
  readonly description: string;
}

/** Polls the state of a one-time run until it has ended, then reads and deletes its output. */
export async function waitForOneTimeRun(
  outputFile: string,
  readState: () => Promise<OneTimeState>,
): Promise<OneTimeRun> {
  const end = performance.now() + oneTimeRunTimeoutMs;
  let state = await readState();
  while (!state.hasEnded && performance.now() < end) {
    await after(pollIntervalMs);
    state = await readState();
  }
  const output = await readFile(outputFile, 'utf8').catch(() => '');
  await rm(outputFile, { force: true });
  return { code: state.code, output: output.trim(), description: state.description };
}

// Reading and writing definition files.

/**
 * Returns the text of a definition file; undefined if the file does not exist.
 * @throws Error with a one-sentence message if it cannot be read
 */
export async function readDefinition(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (cause) {
    const { code = 'unknown' } = cause as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw new Error(`${path} cannot be read (${code}).`, { cause });
  }
}

/** Writes a definition file. All users can read it; it contains no secrets. */
export async function writeDefinition(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text, { mode: 0o644 });
}
