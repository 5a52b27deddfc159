/** The service's side of the IPC channel to its launcher: stop requests, health checks, listening address and restarts. */
import { app, powerMonitor } from 'electron';
import {
  convertVariable,
  defaultLogFile,
  desktopVariable,
  isolatedJobVariable,
  noTerminalVariable,
  restartedAfterVariable,
  restartsVariable,
  selfTestVariable,
  lastPortVariable,
  type BatchRequest,
  type BatchReport,
  type IsolatedExit,
  type IsolatedJob,
  type LauncherMessage,
  type ServiceMessage,
} from '../../launch/messages.ts';
import { publishUrl } from '../../launch/data-folder-lock.ts';
import type { ServiceLog } from '../../log/service-log.ts';

export interface StopRequest {
  readonly signal: AbortSignal;
  /** Aborts, after `signal`, when the user logs out or the system shuts down, and will soon kill this process. */
  readonly sessionEnd: AbortSignal;
  readonly promise: Promise<void>;
}

/**
 * Listens for a stop request: a message from the launcher, a signal, `app.quit()` or the end of the desktop session. Also answers
 * the launcher's health checks.
 */
export function listenForStop(): StopRequest {
  const stopRequest = new AbortController();
  const stop = () => {
    stopRequest.abort();
  };
  process.on('message', (message: LauncherMessage | BatchRequest) => {
    if (message === 'stop') stop();
    // The main thread replies, so a hanging main thread sends no reply.
    else if (message === 'ping') report('pong');
  });
  // Exits when the launcher ends, because no other process would stop this one.
  process.on('disconnect', () => {
    app.exit(1);
  });
  app.on('before-quit', (event) => {
    event.preventDefault();
    stop();
  });
  const sessionEnd = new AbortController();
  listenForSessionEnd(() => {
    stop();
    sessionEnd.abort();
  });
  const promise = new Promise<void>((resolve) => {
    stopRequest.signal.addEventListener('abort', () => {
      resolve();
    });
  });
  return { signal: stopRequest.signal, sessionEnd: sessionEnd.signal, promise };
}

/** Calls `onEnd` when the user logs out or the system shuts down. On a server, the service manager sends a signal instead. */
function listenForSessionEnd(onEnd: () => void): void {
  if (process.env[desktopVariable] !== 'on') return;
  // Windows reports the end of the session only to windows, including hidden ones.
  if (process.platform === 'win32')
    app.on('browser-window-created', (_event, window) => {
      window.on('session-end', onEnd);
    });
  else
    void app.whenReady().then(() => {
      // Electron's types omit the event.
      powerMonitor.on('shutdown', (event?: Pick<Event, 'preventDefault'>) => {
        // On macOS, Electron would otherwise emit `before-quit` next, and preventing that would cancel the logout. Now macOS
        // waits until this process exits. On Linux, logind delays the shutdown.
        event?.preventDefault();
        onEnd();
      });
    });
}

/** Returns the output format of the self-test, or undefined if the process was not started for a self-test. */
export function selfTestFormat(): 'table' | 'json' | undefined {
  const format = process.env[selfTestVariable] ?? '';
  if (format === '') return undefined;
  return format === 'json' ? 'json' : 'table';
}

/** Returns the job that this process was started for, apart from its service; undefined in other processes. */
export function isolatedJob(): IsolatedJob | undefined {
  const job = process.env[isolatedJobVariable] ?? '';
  return job === '' ? undefined : (JSON.parse(job) as IsolatedJob);
}

/** Reports that the isolated job begins. Resolves when the message is on its way, because the job may block this process. */
export async function reportIsolatedBegin(): Promise<void> {
  const message: ServiceMessage = { listening: '' };
  await new Promise<void>((resolve) => {
    process.send?.(message, undefined, undefined, () => {
      resolve();
    });
  });
}

/**
 * Asks the launcher to run a job in a process of its own, which the signal kills. Resolves when that process has ended. Call this for
 * one job at a time.
 */
export async function isolate(job: IsolatedJob, signal: AbortSignal): Promise<IsolatedExit> {
  if (!process.connected) return { hasBegun: false, reason: 'there is no launcher to start it' };
  const kill = () => {
    report('end-isolated');
  };
  signal.addEventListener('abort', kill, { once: true });
  const exit = await new Promise<IsolatedExit>((resolve) => {
    const listen = (message: LauncherMessage | BatchRequest) => {
      if (typeof message !== 'object' || !('isolatedExit' in message)) return;
      process.off('message', listen);
      resolve(message.isolatedExit);
    };
    process.on('message', listen);
    report({ isolate: job });
    if (signal.aborted) kill();
  });
  signal.removeEventListener('abort', kill);
  return exit;
}

/** The channel over which the launcher requests conversions (`platen convert`). */
export interface BatchChannel {
  /** Starts receiving requests and reports to the launcher that it can send them. */
  readonly listen: (onRequest: (request: BatchRequest) => void) => void;
  readonly report: (report: BatchReport) => void;
}

/** Returns undefined if the process was not started for `platen convert`. */
export function batchChannel(): BatchChannel | undefined {
  if ((process.env[convertVariable] ?? '') === '') return undefined;
  return {
    listen(onRequest) {
      process.on('message', (message: LauncherMessage | BatchRequest) => {
        if (typeof message === 'object' && 'kind' in message) onRequest(message);
      });
      reportListening('');
    },
    report,
  };
}

/** Reports the listening address. From then on, the launcher restarts the service if it crashes or hangs. */
function reportListening(url: string): void {
  report({ listening: url });
}

/**
 * Reports the listening address to the launcher, and writes it to the data folder for the desktop client until the result is
 * disposed.
 */
export function announceListening(url: string, dataFolder: string): Disposable {
  reportListening(url);
  // An address that means all interfaces is not one that a client can connect to.
  return publishUrl(dataFolder, url.replace('//0.0.0.0:', '//127.0.0.1:').replace('//[::]:', '//[::1]:'));
}

/** Returns a function that asks the launcher for a restart after the running jobs have ended; undefined without a launcher. */
export function restartFunction(): (() => void) | undefined {
  if (!process.connected) return undefined;
  return () => {
    report('restart');
  };
}

/** Replaces port 0 (any free port) with the port of the previous process after a restart, because clients already use that port. */
export function reusePreviousPort<S extends { readonly port: number }>(settings: S): S {
  const previousPort = Number(process.env[lastPortVariable] ?? 0);
  return settings.port === 0 ? { ...settings, port: previousPort } : settings;
}

/** Returns whether the service was started without a terminal, so that no one sees its output. */
export function isOutputUnseen(): boolean {
  return process.env[noTerminalVariable] === 'on';
}

/** Logs to a file if no one sees standard error and the setting `log-file` is absent. */
export function useDefaultLogFile<S extends { readonly 'log-file': string | undefined }>(settings: S): S {
  return isOutputUnseen() ? { ...settings, 'log-file': settings['log-file'] ?? defaultLogFile } : settings;
}

/** Returns the number of times that the launcher has restarted the service after an abnormal end. */
export function restartsSoFar(): number {
  return Number(process.env[restartsVariable] ?? 0);
}

export function warnAboutRestart(log: ServiceLog): void {
  const reason = process.env[restartedAfterVariable];
  const restarts = restartsSoFar();
  if (reason !== undefined) log.warn({ why: reason, restarts }, 'the service was restarted');
}

/** Sends a message to the launcher. Errors are ignored: if the launcher has ended, the `disconnect` event ends this process. */
function report(message: ServiceMessage | BatchReport): void {
  if (process.connected) process.send?.(message, undefined, undefined, () => {});
}
