/**
 * The process around the service: starts Electron, passes signals on as messages, and ends as it ends. Electron lives in
 * a process group of its own, so that a signal to the terminal's group does not kill Chromium's renderers before their
 * jobs are done; and however often a signal comes, here it is counted.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Runtime } from './runtime.ts';

/** Noise of a machine without a D-Bus, and of one without a graphics card. */
const noise = /:ERROR:(dbus\/)?(bus|object_proxy)\.cc|:ERROR:.*viz_main_impl\.cc/;

/** One signal more than this ends the service at once. */
const patienceInSignals = 2;

/** Milliseconds within which signals are one: npm passes on what the whole group, we included, has already got. */
const echo = 100;

/** Milliseconds after which any further signal ends it. */
const patience = 30_000;

/** Resolves with the exit code. */
export async function superviseService(runtime: Runtime, environment: NodeJS.ProcessEnv): Promise<number> {
  const service = spawn(runtime.electron, [...electronArguments(), runtime.application], {
    // Electron's advice to its developers would fill the debug logs of people's pages.
    env: {
      ...environment,
      ELECTRON_DISABLE_SECURITY_WARNINGS: 'true',
      // What must not run in Electron (output/encode.ts) runs in the Node we run in.
      PLATEN_NODE: process.execPath,
      // Between it and a terminal we stand.
      ...(process.stderr.isTTY && { PLATEN_TERMINAL: 'on' }),
    },
    stdio: ['ignore', 'inherit', 'pipe', 'ipc'],
    detached: process.platform !== 'win32',
  });
  passOnErrors(service);
  using _signals = passOnSignals(service);
  return await ended(service);
}

/** As root Chromium's sandbox refuses to start. Under Xvfb there is only X11, whatever the session's own is. */
function electronArguments(): string[] {
  const root = process.getuid?.() === 0;
  return [
    ...(root ? ['--no-sandbox'] : []),
    ...(process.platform === 'linux' ? ['--ozone-platform=x11'] : []),
  ];
}

function passOnErrors(service: ChildProcess): void {
  if (service.stderr === null) return;
  // Whoever read our standard error may have gone; the service goes on.
  process.stderr.on('error', () => {});
  createInterface({ input: service.stderr }).on('line', (line) => {
    if (!noise.test(line)) process.stderr.write(`${line}\n`);
  });
}

function passOnSignals(service: ChildProcess): Disposable {
  let count = 0;
  let first = 0;
  let last = -Infinity;
  const onSignal = () => {
    const now = performance.now();
    if (now - last < echo) return;
    last = now;
    first ||= now;
    count += 1;
    if (count > patienceInSignals || now - first > patience) killGroup(service);
    else if (count === 1 && service.connected) service.send('stop');
  };
  const signals = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;
  for (const signal of signals) process.on(signal, onSignal);
  return {
    [Symbol.dispose]() {
      for (const signal of signals) process.off(signal, onSignal);
    },
  };
}

function ended(service: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    service.once('error', (problem) => {
      reject(new Error(`Electron could not be started: ${problem.message}`));
    });
    service.once('exit', (code, signal) => {
      killGroup(service);
      if (code === null) process.stderr.write(`platen: the service ended by ${String(signal)}.\n`);
      resolve(code ?? 1);
    });
  });
}

/** Its helper processes too, should any be left. */
function killGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, 'SIGKILL');
  } catch {
    // Gone already.
  }
}
