/**
 * Runs the service once: starts Electron, forwards the stop signal, and kills the process if it hangs. Electron leads its own
 * process group, so that a signal to the terminal's group does not kill Chromium's renderers while jobs are running.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import {
  clientVariable,
  commandVariable,
  failedStartVariable,
  listeningUrl,
  type ClientMessage,
  type ClientTarget,
  type ClientCredentials,
  type FailedStart,
  type LauncherMessage,
} from './messages.ts';
import { launcherCommand } from './launcher-command.ts';
import type { ElectronRuntime } from './runtime.ts';
import { windowsTool } from './run-program.ts';

export interface ServiceRun {
  readonly runtime: ElectronRuntime;
  readonly environment: NodeJS.ProcessEnv;
  /** When it aborts, the service is asked to finish its jobs and exit. */
  readonly stopSignal: AbortSignal;
  /** When any of them aborts, the service is killed. The signal's reason becomes the reason of the exit. */
  readonly killSignals: readonly AbortSignal[];
  /** Time without a reply to the watchdog after which the service is killed. */
  readonly hangTimeoutMs: number;
  /** Time after a stop request after which a service that listens is killed. */
  readonly stopTimeoutMs?: number;
  /** Called with the started process. */
  readonly onStarted?: (service: ChildProcess) => void;
  /** Whether its standard output is shown. Not for a process that gets its work over IPC. */
  readonly showsOutput: boolean;
  /** Receives the lines of the service's standard error. By default they are written to the launcher's standard error. */
  readonly onStderrLine?: (line: string) => void;
}

export interface ServiceExit {
  /** Why the service ended, as the end of a sentence; undefined after a normal exit. */
  readonly reason?: string | undefined;
  /** The service's URL and how long the service listened; undefined if it never did. */
  readonly listened?: { readonly url: string; readonly uptimeMs: number } | undefined;
  /** Whether the service itself has written the reason to standard error. */
  readonly isReasonReported: boolean;
  /** Set if an operator requested a restart. */
  readonly restartRequested?: true;
}

/** Long enough to migrate a large database before listening. */
const startTimeoutMs = 300_000;

/**
 * Running jobs have 30 s (http/server/listen.ts). Then the service closes its files and connections, usually within a second. Service
 * managers wait as long (cli/service).
 */
const defaultStopTimeoutMs = 45_000;

/** Runs the service. Resolves when the service has ended and its remaining processes are killed. Never rejects. */
export async function runService(run: ServiceRun): Promise<ServiceExit> {
  if (run.stopSignal.aborted) return { isReasonReported: true };
  const service = spawnElectron(run);
  forwardStderr(service, run.onStderrLine);
  run.onStarted?.(service);
  using listener = listenToService(service, run);
  using _stop = onAbort(AbortSignal.any([run.stopSignal, listener.restartRequest]), () => {
    sendMessage(service, 'stop');
    listener.startStopTimeout();
  });
  const kill = AbortSignal.any([...run.killSignals, listener.hung]);
  using _kill = onAbort(kill, () => {
    killTree(service);
  });
  const exit = await waitForExit(service);
  killTree(service);
  const killed: Partial<ServiceExit> = kill.aborted
    ? { reason: String(kill.reason), isReasonReported: false }
    : {};
  const restart = listener.restartRequest.aborted && { restartRequested: true as const };
  return { ...exit, ...killed, listened: listener.listened(), ...restart };
}

function spawnElectron({ runtime, environment, showsOutput }: ServiceRun): ChildProcess {
  return spawn(runtime.electron, [...electronArguments(environment), runtime.application], {
    env: {
      // Resolving a name occupies a thread of libuv, which by default has four (network/name-resolver.ts).
      UV_THREADPOOL_SIZE: '64',
      ...electronEnvironment(environment),
      // Code that must not run in Electron (output/image/encode/encode-image.ts) runs in the launcher's Node.
      PLATEN_NODE: process.execPath,
      [commandVariable]: JSON.stringify(launcherCommand()),
      // The service's standard error is a pipe to the launcher, so the service cannot detect a terminal.
      ...(process.stderr.isTTY && { PLATEN_TERMINAL: 'on' }),
    },
    stdio: ['ignore', showsOutput ? 'inherit' : 'ignore', 'pipe', 'ipc'],
    detached: process.platform !== 'win32',
  });
}

/** Returns the environment for Electron. Its security warnings would fill the debug logs of pages. */
function electronEnvironment(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return {
    ...environment,
    ...localeEnvironment(environment),
    ELECTRON_DISABLE_SECURITY_WARNINGS: 'true',
  };
}

/**
 * Sets LC_ALL to the effective locale, so that Electron never adds this variable. Because of `--lang` (app/process/lifecycle.ts),
 * Electron sets LC_ALL while Chromium's D-Bus thread reads the environment. Adding a variable moves the environment to other
 * memory, and `getenv` in that thread then crashes the service (SIGSEGV, one start in several thousand). An existing variable is
 * changed in place.
 */
function localeEnvironment({ LC_ALL, LC_CTYPE, LANG }: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  if (process.platform !== 'linux') return {};
  return { LC_ALL: [LC_ALL, LC_CTYPE, LANG].find((locale) => locale !== undefined && locale !== '') ?? 'C' };
}

/**
 * The switch that names the data folder in the command line of the service. Nothing in the service reads it: it shows
 * administrators, and `platen service suspend`, which data folder a process uses.
 */
export const dataFolderSwitch = '--platen-data-folder';

/**
 * Returns Electron's arguments. Chromium's sandbox does not start as root. Xvfb supports only X11, whatever the session type. Log
 * level 3 limits Chromium to fatal errors: it writes plain text to standard error, to which the service log writes JSON lines.
 */
function electronArguments({ PLATEN_DATA: data }: NodeJS.ProcessEnv = {}): string[] {
  const root = process.getuid?.() === 0;
  return [
    '--log-level=3',
    ...(data === undefined ? [] : [`${dataFolderSwitch}=${data}`]),
    ...(root ? ['--no-sandbox'] : []),
    ...(process.platform === 'linux' ? ['--ozone-platform=x11'] : []),
  ];
}

function forwardStderr({ stderr }: ChildProcess, onLine = writeToStderr): void {
  if (stderr === null) return;
  createInterface({ input: stderr }).on('line', onLine);
}

export function writeToStderr(line: string): void {
  process.stderr.write(`${line}\n`);
}

/** Sends a message to the service. Drops it if the channel is closed, because the service is then ending. */
export function sendMessage(service: ChildProcess, message: LauncherMessage): void {
  if (service.connected) service.send(message, () => {});
}

interface ServiceListener extends Disposable {
  readonly listened: () => ServiceExit['listened'];
  /** Aborts when the service hangs, or does not start listening or end in time. */
  readonly hung: AbortSignal;
  /** Call this when the service has been asked to stop. */
  readonly startStopTimeout: () => void;
  /** Aborts when the service asks for a restart. */
  readonly restartRequest: AbortSignal;
}

function listenToService(
  service: ChildProcess,
  { hangTimeoutMs, stopTimeoutMs = defaultStopTimeoutMs }: ServiceRun,
): ServiceListener {
  const hang = new AbortController();
  const restart = new AbortController();
  let listening: { readonly url: string; readonly since: number } | undefined;
  let isStopping = false;
  let endWatchdog: Watchdog | undefined;
  // A service that is still starting may be migrating its database, so it is not killed for that.
  const watchEnd = () => {
    if (isStopping && listening !== undefined)
      endWatchdog ??= abortAfter(
        stopTimeoutMs,
        hang,
        `it did not end within ${stopTimeoutMs / 1000} s after the request to stop`,
      );
  };
  // A starting service is not pinged; it only has to listen in time.
  let watchdog = abortAfter(startTimeoutMs, hang, `it did not start within ${startTimeoutMs / 1000} s`);
  service.on('message', (message) => {
    const url = listeningUrl(message);
    if (url === undefined) {
      if (message === 'pong') watchdog.reset();
      if (message === 'restart') restart.abort();
      return;
    }
    watchdog[Symbol.dispose]();
    listening = { url, since: performance.now() };
    watchEnd();
    watchdog = startWatchdog({
      ping() {
        sendMessage(service, 'ping');
      },
      timeoutMs: hangTimeoutMs,
      onTimeout: () => {
        hang.abort(`it did not respond for ${hangTimeoutMs / 1000} s`);
      },
    });
  });
  return {
    hung: hang.signal,
    startStopTimeout() {
      isStopping = true;
      watchEnd();
    },
    restartRequest: restart.signal,
    listened: () => listening && { url: listening.url, uptimeMs: performance.now() - listening.since },
    [Symbol.dispose]() {
      watchdog[Symbol.dispose]();
      endWatchdog?.[Symbol.dispose]();
    },
  };
}

/** Aborts the controller after this time, unless the result is disposed of or reset. */
function abortAfter(timeoutMs: number, controller: AbortController, reason: string): Watchdog {
  return startWatchdog({
    ping() {},
    timeoutMs,
    onTimeout: () => {
      controller.abort(reason);
    },
  });
}

function onAbort(signal: AbortSignal, action: () => void): Disposable {
  if (signal.aborted) action();
  else signal.addEventListener('abort', action, { once: true });
  return {
    [Symbol.dispose]() {
      signal.removeEventListener('abort', action);
    },
  };
}

function waitForExit(service: ChildProcess): Promise<Pick<ServiceExit, 'reason' | 'isReasonReported'>> {
  return new Promise((resolve) => {
    service.on('error', (problem) => {
      // After the start, an error means that sending a message or a kill has failed (Windows); the exit event still follows.
      if (service.pid !== undefined) return;
      resolve({ reason: `Electron could not be started: ${problem.message}`, isReasonReported: false });
    });
    service.once('exit', (code, signal) => {
      if (code === 0) resolve({ reason: undefined, isReasonReported: true });
      else resolve({ reason: signal ?? `exit code ${String(code)}`, isReasonReported: signal === null });
    });
  });
}

/**
 * Shows the dialog of a failed start, in a separate Electron process that outlives the launcher. Resolves when the dialog is
 * open, with false if Electron cannot start.
 */
export function showFailedStart(
  { electron, application }: ElectronRuntime,
  failure: FailedStart,
): Promise<boolean> {
  // The process shows no web page. A sandbox that the system refuses may be the reason why the service did not start.
  const parameters = [...new Set([...electronArguments(), '--no-sandbox']), application];
  const dialog = spawn(electron, parameters, {
    env: { ...electronEnvironment(process.env), [failedStartVariable]: JSON.stringify(failure) },
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    detached: true,
  });
  return new Promise((resolve) => {
    dialog.once('message', () => {
      dialog.disconnect();
      dialog.unref();
      resolve(true);
    });
    for (const event of ['error', 'exit'])
      dialog.once(event, () => {
        resolve(false);
      });
  });
}

/**
 * Starts a desktop client, which outlives the launcher. `signIn` returns the credentials when the client asks for them. Resolves
 * with the exit code of the launcher: 0 if the client, or an earlier client, shows its window.
 */
export function startClient(
  { electron, application }: ElectronRuntime,
  target: ClientTarget,
  signIn: () => Promise<ClientCredentials | undefined>,
): Promise<number> {
  const client = spawn(electron, [...electronArguments(), application], {
    env: {
      ...electronEnvironment(process.env),
      [clientVariable]: JSON.stringify(target),
      [commandVariable]: JSON.stringify(launcherCommand()),
    },
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    detached: true,
  });
  return new Promise((resolve, reject) => {
    const answer = async () => {
      const reply: ClientMessage = { signIn: (await signIn()) ?? null };
      client.send(reply, () => {
        client.disconnect();
        client.unref();
        resolve(0);
      });
    };
    client.once('message', () => {
      answer().catch(reject);
    });
    client.once('error', reject);
    // A client that finds an earlier one exits with 0 without asking for credentials.
    client.once('exit', (code) => {
      resolve(code ?? 1);
    });
  });
}

/**
 * Kills a process that was started with `detached`, and its children. If the process has exited, kills the rest of its process
 * group. Windows has no process groups, and the process tree is lost when the root exits; Chromium's helpers exit when their IPC
 * channel breaks.
 */
export function killTree(child: ChildProcess): void {
  const { pid } = child;
  if (pid === undefined) return;
  if (process.platform === 'win32') {
    if (child.exitCode === null && child.signalCode === null) killWindowsTree(child, pid);
    return;
  }
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // No process of the group exists any more.
  }
}

/** Kills a process and its children. If taskkill is missing or fails, kills at least the process itself. */
function killWindowsTree(child: ChildProcess, pid: number): void {
  const killer = spawn(windowsTool('taskkill'), ['/PID', String(pid), '/T', '/F'], {
    stdio: 'ignore',
    windowsHide: true,
  });
  killer.once('error', () => child.kill('SIGKILL'));
  killer.once('exit', (code) => {
    if (code !== 0) child.kill('SIGKILL');
  });
}

// The watchdog. It counts timer ticks instead of time: after sleep or SIGSTOP only one tick fires, however long the pause was.

interface Watchdog extends Disposable {
  /** Call this for each reply. */
  readonly reset: () => void;
}

interface WatchdogOptions {
  readonly ping: () => void;
  /** `onTimeout` is called once, after this time without a reply. */
  readonly timeoutMs: number;
  readonly onTimeout: () => void;
}

const ticksPerTimeout = 12;

/** Starts a watchdog. It pings immediately, and again on each tick if the last ping was answered. */
export function startWatchdog({ ping, timeoutMs, onTimeout }: WatchdogOptions): Watchdog {
  let ticksWithoutReply = 0;
  const tick = () => {
    // Only one ping is unanswered at a time, so that pings to a hung process do not accumulate.
    if (ticksWithoutReply === 0) ping();
    ticksWithoutReply += 1;
    if (ticksWithoutReply === ticksPerTimeout + 1) onTimeout();
  };
  const timer = setInterval(tick, timeoutMs / ticksPerTimeout);
  tick();
  return {
    reset() {
      ticksWithoutReply = 0;
    },
    [Symbol.dispose]() {
      clearInterval(timer);
    },
  };
}
