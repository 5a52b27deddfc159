/** The interface to a platform's service manager. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { StoredPlan, ServicePlan, ServiceId } from './plan.ts';

export interface ServiceHost {
  readonly defaults: (which: ServiceId) => Pick<StoredPlan, 'as' | 'data'>;
  /** Returns the service definition as text. */
  readonly define: (plan: ServicePlan) => string;
  /** Returns the installed definition; undefined if there is none. */
  readonly installed: (which: ServiceId) => Promise<string | undefined>;
  /** Returns why the action is not possible and what to do instead; undefined if it is possible. */
  readonly obstacle: (which: ServiceId) => Promise<string | undefined>;
  /**
   * Creates the service's user if missing. Undefined where files need not be given to a user.
   * @throws Error with one sentence
   */
  readonly ensureUser: (plan: StoredPlan) => Promise<Identity | undefined>;
  /** Gives the data folder to a user without numeric ids (Windows). */
  readonly giveData?: (plan: StoredPlan) => Promise<void>;
  /** Installs the definition; from now on the service starts with the machine. @throws Error with one sentence */
  readonly install: (plan: ServicePlan) => Promise<void>;
  /** Stops and removes the service. @throws Error with one sentence */
  readonly remove: (plan: StoredPlan) => Promise<void>;
  readonly start: (plan: StoredPlan) => Promise<void>;
  /** Resolves when the service has ended. */
  readonly stop: (plan: StoredPlan) => Promise<void>;
  readonly state: (which: ServiceId) => Promise<ServiceState>;
  /** Returns the command that shows its log. */
  readonly logCommand: (plan: StoredPlan) => string;
  /** Settings that every service needs here, such as a log file. */
  readonly settings: Readonly<Record<string, string>>;
  /** Returns what remains to be done by hand, as a sentence. */
  readonly afterwards?: (plan: StoredPlan) => Promise<string | undefined>;
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

/** Readable by everybody; it never contains secrets. */
export async function writeDefinition(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text, { mode: 0o644 });
}
