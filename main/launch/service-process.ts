/**
 * One run of the service: starts Electron, passes on that it is to stop, and kills it when it hangs. Electron lives in a
 * process group of its own, so that a signal to the terminal's group does not kill Chromium's renderers before their
 * jobs are done.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import { killTree } from './kill-tree.ts';
import { commandVariable, listeningIn, type Order } from './messages.ts';
import { ownCommand } from './own-command.ts';
import type { Runtime } from './runtime.ts';
import { watchForSilence, type Silence } from './silence.ts';

export interface ServiceRun {
  readonly runtime: Runtime;
  readonly environment: NodeJS.ProcessEnv;
  /** Aborted when the service is to end its jobs and itself. */
  readonly stop: AbortSignal;
  /** Each kills it when it aborts; its reason is then why the service ended. */
  readonly kills: readonly AbortSignal[];
  /** Milliseconds it may leave a question unanswered. */
  readonly hangTimeout: number;
  /** Told of the process when it has been started, by who gives it work; its standard output goes nowhere then. */
  readonly attend?: (service: ChildProcess) => void;
  /** Takes the lines of its standard error; absent: ours does. */
  readonly onError?: (line: string) => void;
}

export interface Ending {
  /** What happened, as a sentence's end; undefined when it ended in good order. */
  readonly why?: string | undefined;
  /** Where it listened, and for how many milliseconds; undefined when it did not come to that. */
  readonly listened?: { readonly url: string; readonly time: number } | undefined;
  /** It has said itself, on standard error, why it ended. */
  readonly toldByItself: boolean;
  /** An operator wanted it to end and to be started anew. */
  readonly restart?: true;
}

/** Noise of a machine without a D-Bus, and of one without a graphics card. */
const noise = /:ERROR:(dbus\/)?(bus|object_proxy)\.cc|:ERROR:.*viz_main_impl\.cc/;

/** Milliseconds in which a start must come to listen; a large database may have to be migrated first. */
const startTimeout = 300_000;

/** Resolves when it has ended; what may be left of its processes is killed then. Never rejects. */
export async function runService(run: ServiceRun): Promise<Ending> {
  if (run.stop.aborted) return { toldByItself: true };
  const service = spawnElectron(run);
  passOnErrors(service, run.onError);
  run.attend?.(service);
  using hearing = listenTo(service, run.hangTimeout);
  using _stop = onAbort(AbortSignal.any([run.stop, hearing.restart]), () => {
    tell(service, 'stop');
  });
  const kill = AbortSignal.any([...run.kills, hearing.silent]);
  using _kill = onAbort(kill, () => {
    killTree(service);
  });
  const ended = await endOf(service);
  killTree(service);
  const killed: Partial<Ending> = kill.aborted ? { why: String(kill.reason), toldByItself: false } : {};
  const restart = hearing.restart.aborted && { restart: true as const };
  return { ...ended, ...killed, listened: hearing.listened(), ...restart };
}

function spawnElectron({ runtime, environment, attend }: ServiceRun): ChildProcess {
  return spawn(runtime.electron, [...electronArguments(), runtime.application], {
    // Electron's advice to its developers would fill the debug logs of people's pages.
    env: {
      ...environment,
      ELECTRON_DISABLE_SECURITY_WARNINGS: 'true',
      // What must not run in Electron (output/encode.ts) runs in the Node we run in.
      PLATEN_NODE: process.execPath,
      [commandVariable]: JSON.stringify(ownCommand()),
      // Between it and a terminal we stand.
      ...(process.stderr.isTTY && { PLATEN_TERMINAL: 'on' }),
    },
    stdio: ['ignore', attend === undefined ? 'inherit' : 'ignore', 'pipe', 'ipc'],
    detached: process.platform !== 'win32',
  });
}

/** As root Chromium's sandbox refuses to start. Under Xvfb there is only X11, whatever the session's own is. */
function electronArguments(): string[] {
  const root = process.getuid?.() === 0;
  return [
    ...(root ? ['--no-sandbox'] : []),
    ...(process.platform === 'linux' ? ['--ozone-platform=x11'] : []),
  ];
}

function passOnErrors({ stderr }: ChildProcess, pass = toStandardError): void {
  if (stderr === null) return;
  createInterface({ input: stderr }).on('line', (line) => {
    if (!noise.test(line)) pass(line);
  });
}

function toStandardError(line: string): void {
  process.stderr.write(`${line}\n`);
}

/** A service whose channel has closed is ending; there is nobody to tell. */
function tell(service: ChildProcess, order: Order): void {
  if (service.connected) service.send(order, () => {});
}

interface Hearing extends Disposable {
  readonly listened: () => Ending['listened'];
  /** Aborted when it does not come to listen, or hangs. */
  readonly silent: AbortSignal;
  /** Aborted when it asks to be started anew. */
  readonly restart: AbortSignal;
}

function listenTo(service: ChildProcess, hangTimeout: number): Hearing {
  const [silent, restart] = [new AbortController(), new AbortController()];
  let listening: { readonly url: string; readonly since: number } | undefined;
  let silence: Silence = watchForSilence({
    // It listens, or it does not: the start has one answer.
    ask() {},
    patience: startTimeout,
    onSilent: () => {
      silent.abort(`it had not started within ${startTimeout / 1000} s`);
    },
  });
  service.on('message', (message) => {
    const url = listeningIn(message);
    if (url === undefined) {
      if (message === 'well') silence.answered();
      if (message === 'restart') restart.abort();
      return;
    }
    silence[Symbol.dispose]();
    listening = { url, since: performance.now() };
    silence = watchForSilence({
      ask() {
        tell(service, 'are you well?');
      },
      patience: hangTimeout,
      onSilent: () => {
        silent.abort(`it had not answered for ${hangTimeout / 1000} s`);
      },
    });
  });
  return {
    silent: silent.signal,
    restart: restart.signal,
    listened: () => listening && { url: listening.url, time: performance.now() - listening.since },
    [Symbol.dispose]() {
      silence[Symbol.dispose]();
    },
  };
}

function onAbort(signal: AbortSignal, act: () => void): Disposable {
  if (signal.aborted) act();
  else signal.addEventListener('abort', act, { once: true });
  return {
    [Symbol.dispose]() {
      signal.removeEventListener('abort', act);
    },
  };
}

function endOf(service: ChildProcess): Promise<Pick<Ending, 'why' | 'toldByItself'>> {
  return new Promise((resolve) => {
    service.on('error', (problem) => {
      // Once it runs, an error is an order or a kill that failed (Windows): it lives, and its end is still to come.
      if (service.pid !== undefined) return;
      resolve({ why: `Electron could not be started: ${problem.message}`, toldByItself: false });
    });
    service.once('exit', (code, signal) => {
      if (code === 0) resolve({ why: undefined, toldByItself: true });
      else resolve({ why: signal ?? `exit code ${String(code)}`, toldByItself: signal === null });
    });
  });
}
