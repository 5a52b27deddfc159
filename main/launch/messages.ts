/** Messages between launcher and service: over Node's IPC channel, and in the environment of a start. */

/**
 * From the launcher. `stop`: finish the running jobs, then exit. `ping`: sent by the watchdog, which a
 * service that does not hang answers immediately.
 */
export type LauncherMessage = 'stop' | 'ping';

/**
 * From the service: `pong` answers a `ping`, `restart` asks for a restart by an operator, `listening` reports
 * its URL once.
 */
export type ServiceMessage = 'pong' | 'restart' | { readonly listening: string };

/** Environment of a restarted service: the number of restarts, and why the previous run ended. */
export const restartsVariable = 'PLATEN_RESTARTS';
export const restartedAfterVariable = 'PLATEN_RESTARTED_AFTER';

/** Environment of a self-test run: its output format, `table` or `json`. */
export const selfTestVariable = 'PLATEN_SELF_TEST';
/** Environment of `platen convert`: `on` for a run that does not listen and converts what the launcher sends it. */
export const convertVariable = 'PLATEN_CONVERT';
/**
 * Environment of a restarted service: the previous port. It is reused if the setting allows any free port, because
 * callers know it.
 */
export const lastPortVariable = 'PLATEN_KEPT_PORT';
/** Environment of a service: `on` if it has a desktop display. */
export const desktopVariable = 'PLATEN_DESKTOP';

/** Environment of a service: the command that started the launcher, as a JSON array of words. */
export const commandVariable = 'PLATEN_COMMAND';

/** Returns the URL in a `listening` message, or undefined for other messages. */
export function listeningUrl(message: unknown): string | undefined {
  if (typeof message !== 'object' || message === null || !('listening' in message)) return undefined;
  return String(message.listening);
}

// Further messages between `platen convert` and its Electron process.

/** From the launcher: a conversion. */
export interface BatchRequest {
  readonly kind: 'convert';
  /** Repeated in the report. */
  readonly number: number;
  /** Options by their wire names. */
  readonly fields: readonly { readonly name: string; readonly value: string }[];
  readonly files: readonly RequestFile[];
  /** Absolute path of an empty file. */
  readonly output: string;
  /** Absolute path of the HTML file for its debug log. */
  readonly debugLog?: string;
}

export interface RequestFile {
  /** Name of the option. */
  readonly name: string;
  /** Absolute path. The file is read in place. */
  readonly path: string;
  /** File name for messages. */
  readonly filename: string;
  /** Absolute path of the folder whose files the page may load, and the page's path in it, with slashes. */
  readonly siblingFolder?: { readonly root: string; readonly path: string };
}

/** From Electron: the result of one conversion. Times are in milliseconds. */
export type BatchReport = { readonly number: number; readonly took: number } & (
  | {
      readonly kind: 'converted';
      readonly bytes: number;
      /** For a PDF. */
      readonly pages?: number;
      readonly stages: Readonly<Record<string, number>>;
    }
  | {
      readonly kind: 'failed';
      readonly status: number;
      readonly reason: number;
      readonly message: string;
      /** Seconds. */
      readonly retryAfter?: number;
    }
);
