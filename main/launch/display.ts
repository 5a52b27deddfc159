/**
 * Provides a display for Chromium: that of the desktop, or, on Linux without a desktop, an Xvfb server that ends with the launcher.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import type { Readable } from 'node:stream';
import { desktopVariable } from './messages.ts';

interface XDisplay extends AsyncDisposable {
  /** Environment variables of a service that uses the display. */
  readonly environment: Readonly<Record<string, string>>;
  /**
   * Aborts when the display ends unexpectedly. The reason completes a sentence, for example "its display, Xvfb, ended (SIGSEGV)".
   */
  readonly lost: AbortSignal;
}

const startTimeoutMs = 20_000;
const stopTimeoutMs = 2000;

/**
 * Opens a display. Disposing the result stops Xvfb and waits for its exit.
 * @throws Error with a one-sentence message if no display can be started
 */
export async function openDisplay(): Promise<XDisplay> {
  if (hasDesktop())
    return {
      environment: { [desktopVariable]: 'on' },
      lost: new AbortController().signal,
      [Symbol.asyncDispose]: async () => {},
    };
  // With -terminate, Xvfb exits after its last client, in case the launcher is killed first. Xvfb is detached, so that Ctrl-C in
  // the terminal does not end it while jobs are running.
  const server = spawn(
    'Xvfb',
    ['-displayfd', '3', '-screen', '0', '1280x1024x24', '-nolisten', 'tcp', '-terminate'],
    {
      stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
      detached: true,
    },
  );
  const number = await displayNumber(server);
  server.unref();
  return {
    environment: { DISPLAY: `:${number}`, [desktopVariable]: '' },
    lost: watchForLoss(server),
    [Symbol.asyncDispose]: () => stopServer(server),
  };
}

/** Returns whether there is a desktop. A Wayland session without Xwayland does not count, because Electron is started for X11. */
export function hasDesktop(): boolean {
  return process.platform !== 'linux' || (process.env.DISPLAY ?? '') !== '';
}

function displayNumber(server: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    const fail = (reason: string) => {
      clearTimeout(timer);
      server.kill('SIGKILL');
      reject(new Error(`cannot start a display (${reason}); install Xvfb: apt-get install xvfb`));
    };
    const timer = setTimeout(fail, startTimeoutMs, 'Xvfb did not answer');
    server.once('error', (problem) => {
      fail(problem.message);
    });
    server.once('exit', (code) => {
      fail(`Xvfb ended with ${String(code)}`);
    });
    let output = '';
    (server.stdio[3] as Readable).on('data', (chunk: Buffer) => {
      output += chunk.toString();
      if (!output.includes('\n')) return;
      clearTimeout(timer);
      server.removeAllListeners('exit');
      resolve(Number(output));
    });
  });
}

/** Returns a signal that aborts if Xvfb fails. Exit code 0 is not a failure: Xvfb exits after its last client. */
function watchForLoss(server: ChildProcess): AbortSignal {
  const lost = new AbortController();
  server.once('exit', (code, signal) => {
    if (code !== 0 && !server.killed)
      lost.abort(`its display, Xvfb, ended (${signal ?? `exit code ${String(code)}`})`);
  });
  return lost.signal;
}

function stopServer(server: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    if (server.exitCode !== null || server.signalCode !== null) {
      resolve();
      return;
    }
    server.ref();
    const timer = setTimeout(() => server.kill('SIGKILL'), stopTimeoutMs);
    server.once('exit', () => {
      clearTimeout(timer);
      resolve();
    });
    server.kill('SIGTERM');
  });
}
