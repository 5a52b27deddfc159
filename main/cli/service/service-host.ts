/** The interface to a platform's service manager. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { StoredPlan, ServicePlan, ServiceId } from './plan.ts';

export interface ServiceHost {
  readonly defaults: (id: ServiceId) => Pick<StoredPlan, 'as' | 'data'>;
  /** Returns the service definition as text. */
  readonly definition: (plan: ServicePlan) => string;
  /** Returns the installed definition; undefined if there is none. */
  readonly readInstalled: (id: ServiceId) => Promise<string | undefined>;
  /** Returns why the action is not possible and what to do instead; undefined if it is possible. */
  readonly findObstacle: (id: ServiceId) => Promise<string | undefined>;
  /**
   * Creates the user of the service if missing, and resolves with its ids. Resolves with undefined if the platform does not use
   * numeric ids, or for a service of the current user.
   * @throws Error with one sentence
   */
  readonly ensureUser: (plan: StoredPlan) => Promise<Identity | undefined>;
  /** Restricts the data folder to the user of the service and administrators (Windows). */
  readonly restrictDataFolder?: (plan: StoredPlan) => Promise<void>;
  /** Installs the definition and enables the start at boot, or at login for a user service. @throws Error with one sentence */
  readonly install: (plan: ServicePlan) => Promise<void>;
  /** Stops and removes the service. @throws Error with one sentence */
  readonly uninstall: (plan: StoredPlan) => Promise<void>;
  readonly start: (plan: StoredPlan) => Promise<void>;
  /** Resolves when the service has ended. */
  readonly stop: (plan: StoredPlan) => Promise<void>;
  readonly state: (id: ServiceId) => Promise<ServiceState>;
  /** Returns the command that shows the log of the service. */
  readonly logCommand: (plan: StoredPlan) => string;
  /** Settings that a service needs on this platform, such as a log file. */
  readonly settings: Readonly<Record<string, string>>;
  /** Completes the installation. Returns a step that the user must do by hand, as a sentence. */
  readonly finishInstall?: (plan: StoredPlan) => Promise<string | undefined>;
}

/** Numeric ids of a user and the user's group. */
export interface Identity {
  readonly uid: number;
  readonly gid: number;
}

export interface ServiceState {
  readonly running: boolean;
  /** Completes the sentence "it is ...". */
  readonly description: string;
}

export const needsRoot = 'a system service requires root';

// Reading and writing definition files.

/** Returns undefined if the file does not exist. @throws Error with one sentence if it cannot be read */
export async function readDefinition(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (cause) {
    const { code = 'unknown' } = cause as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw new Error(`${path} cannot be read (${code}).`, { cause });
  }
}

/** The file is readable for all users; it contains no secrets. */
export async function writeDefinition(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text, { mode: 0o644 });
}
