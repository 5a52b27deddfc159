/** Defines the messages between launcher and service: over Node's IPC channel, and as environment variables at the start. */

/**
 * A message from the launcher. `stop`: finish the running jobs, then exit. `ping`: sent by the watchdog; a service that does not
 * hang replies immediately. `isolatedExit`: the process of an isolated job has ended.
 */
export type LauncherMessage = 'stop' | 'ping' | { readonly isolatedExit: IsolatedExit };

/**
 * A message from the service. `pong` replies to `ping`, `restart` requests a restart for an operator, `listening` reports the
 * service's URL once. `shown`: the dialog of a failed start is open. `isolate`: run this job in a process of its own, one at a time;
 * `end-isolated`: kill that process.
 */
export type ServiceMessage =
  | 'pong'
  | 'restart'
  | 'shown'
  | 'end-isolated'
  | { readonly listening: string }
  | { readonly isolate: IsolatedJob };

/** Environment variables of a restarted service: the number of restarts, and why the previous run ended. */
export const restartsVariable = 'PLATEN_RESTARTS';
export const restartedAfterVariable = 'PLATEN_RESTARTED_AFTER';

/** Environment variable of a self-test run: its output format, `table` or `json`. */
export const selfTestVariable = 'PLATEN_SELF_TEST';
/**
 * Environment variable of `platen convert`: `on` for a process that does not listen, and converts the requests that the launcher
 * sends.
 */
export const convertVariable = 'PLATEN_CONVERT';
/**
 * Environment variable of an Electron process that runs one asynchronous job apart from the service: an `IsolatedJob` as JSON. The
 * process reports an empty `listening` URL when it begins the job.
 */
export const isolatedJobVariable = 'PLATEN_ISOLATED_JOB';

/** A job that a service has claimed. */
export interface IsolatedJob {
  readonly id: string;
  /** The id of the node, and the start in milliseconds since 1970: the claim. */
  readonly node: string;
  readonly startedAt: number;
  /** Path of a folder for the files of the process, which the service deletes. */
  readonly folder: string;
  /** The port of the service, which no page may reach. */
  readonly servicePort: number | undefined;
}

/** How the process of an isolated job ended. */
export interface IsolatedExit {
  /** Whether it had begun the job. */
  readonly hasBegun: boolean;
  /** Why it ended, as the end of a sentence; undefined after a normal exit. */
  readonly reason?: string | undefined;
}

/**
 * Environment variable of a restarted service: the previous port. It is used again if the setting allows any free port, because
 * clients already use it.
 */
export const lastPortVariable = 'PLATEN_KEPT_PORT';
/** Environment variable of a service: `on` if it has a desktop display. */
export const desktopVariable = 'PLATEN_DESKTOP';

/**
 * Environment variable of a service: `on` if it was started without a terminal, so that no one sees its output. The log is then
 * in a file, and so is the key of the first account.
 */
export const noTerminalVariable = 'PLATEN_NO_TERMINAL';

/** The log file of such a service in the data folder, unless the setting `log-file` names another. */
export const defaultLogFile = 'platen.log';

/** Environment variable of an Electron process that only reports a failed start in a dialog: a `FailedStart` as JSON. */
export const failedStartVariable = 'PLATEN_FAILED_START';

/** Environment variable of an Electron process that is a desktop client of a running service: a `ClientTarget` as JSON. */
export const clientVariable = 'PLATEN_CLIENT';

/** The service that a desktop client shows. */
export interface ClientTarget {
  /** The data folder of the service. */
  readonly data: string;
  /** The URL of a service whose data folder this user cannot read. If absent, the client reads the URL there. */
  readonly url?: string;
  /** Folder of the log, if this user can read it. */
  readonly logsFolder?: string;
}

/** A user name and a key. */
export interface ClientCredentials {
  readonly user: string;
  readonly key: string;
}

/** The purpose of the key that the launcher creates for a desktop client. The list of keys in the console shows it. */
export const clientKeyPurpose = 'desktop window';

/**
 * A message between the launcher and a desktop client. `credentials` is a request of the client; the launcher replies with
 * `signIn`, without credentials if the user has to enter them.
 */
export type ClientMessage = 'credentials' | { readonly signIn: ClientCredentials | null };

/** What the dialog of a failed start shows. */
export interface FailedStart {
  /** One sentence, as the command line prints it. */
  readonly sentence: string;
  /** Absolute path of the log file; absent if there is none. */
  readonly logFile?: string;
}

/** Environment variable of a service: the command line that started the launcher, as a JSON array of words. */
export const commandVariable = 'PLATEN_COMMAND';

/** Returns the URL in a `listening` message, or undefined for other messages. */
export function listeningUrl(message: unknown): string | undefined {
  if (typeof message !== 'object' || message === null || !('listening' in message)) return undefined;
  return String(message.listening);
}

/** Returns the job of an `isolate` message, or undefined for other messages. */
export function jobToIsolate(message: unknown): IsolatedJob | undefined {
  if (typeof message !== 'object' || message === null || !('isolate' in message)) return undefined;
  return message.isolate as IsolatedJob;
}

// Messages between `platen convert` and its Electron process, in addition to those above.

/** From the launcher: a request for one conversion. */
export interface BatchRequest {
  readonly kind: 'convert';
  /** Repeated in the report, to match it to the request. */
  readonly id: number;
  /** The options by their names in the API. */
  readonly fields: readonly { readonly name: string; readonly value: string }[];
  readonly files: readonly RequestFile[];
  /** Absolute path of an empty file that receives the output. */
  readonly output: string;
  /** Absolute path of the HTML file to write the debug log to. */
  readonly debugLog?: string;
}

export interface RequestFile {
  /** Name of the option. */
  readonly name: string;
  /** Absolute path. The file is read in place. */
  readonly path: string;
  /** The file name shown in messages. */
  readonly filename: string;
  /** The absolute path of the folder whose files the page may load, and the page's path relative to it, with slashes. */
  readonly siblingFolder?: { readonly root: string; readonly path: string };
}

/** From the service: the result of one conversion. Times are in milliseconds. */
export type BatchReport = { readonly number: number; readonly took: number } & (
  | {
      readonly kind: 'converted';
      readonly bytes: number;
      /** Number of pages; only for a PDF. */
      readonly pages?: number;
      readonly stages: Readonly<Record<string, number>>;
      /** The codes of the warnings about the document, each once. */
      readonly noteCodes: readonly string[];
    }
  | {
      readonly kind: 'failed';
      readonly status: number;
      readonly reason: number;
      readonly message: string;
      /** Seconds after which a retry makes sense. */
      readonly retryAfter?: number;
    }
);
