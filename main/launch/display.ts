/** A display for Chromium: the desktop's, or on Linux without one an Xvfb of our own that ends with us. */
import { spawn, type ChildProcess } from 'node:child_process';
import type { Readable } from 'node:stream';
import { desktopVariable } from './messages.ts';

export interface Display extends AsyncDisposable {
  readonly environment: Readonly<Record<string, string>>;
  /** Aborted, with a sentence's end as its reason, when the display has gone though somebody used it. */
  readonly lost: AbortSignal;
}

/** Milliseconds to begin in, and to end in. */
const patience = 20_000;
const patienceAtEnd = 2000;

/** Disposed, it resolves when the display has ended. @throws Error with one sentence when no display can be had. */
export async function openDisplay(): Promise<Display> {
  if (hasDesktop())
    return {
      environment: { [desktopVariable]: 'on' },
      lost: new AbortController().signal,
      [Symbol.asyncDispose]: async () => {},
    };
  // It ends by itself when its last client has gone (-terminate), should we be killed before we can end it. Detached, so
  // that Ctrl-C in the terminal does not take the display from jobs still running.
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
    lost: whenLost(server),
    [Symbol.asyncDispose]: () => end(server),
  };
}

/** Whether somebody may look at what is shown. A Wayland session without an X server for its older programs cannot show us. */
export function hasDesktop(): boolean {
  return process.platform !== 'linux' || (process.env.DISPLAY ?? '') !== '';
}

function displayNumber(server: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    const fail = (why: string) => {
      clearTimeout(timer);
      server.kill('SIGKILL');
      reject(new Error(`no display could be started (${why}); install Xvfb: apt-get install xvfb`));
    };
    const timer = setTimeout(fail, patience, 'Xvfb did not answer');
    server.once('error', (problem) => {
      fail(problem.message);
    });
    server.once('exit', (code) => {
      fail(`Xvfb ended with ${String(code)}`);
    });
    let said = '';
    (server.stdio[3] as Readable).on('data', (chunk: Buffer) => {
      said += chunk.toString();
      if (!said.includes('\n')) return;
      clearTimeout(timer);
      server.removeAllListeners('exit');
      resolve(Number(said));
    });
  });
}

/** Exit code 0 is its own end, after the last client's. */
function whenLost(server: ChildProcess): AbortSignal {
  const lost = new AbortController();
  server.once('exit', (code, signal) => {
    if (code !== 0 && !server.killed)
      lost.abort(`its display, Xvfb, ended (${signal ?? `exit code ${String(code)}`})`);
  });
  return lost.signal;
}

function end(server: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    if (server.exitCode !== null || server.signalCode !== null) {
      resolve();
      return;
    }
    server.ref();
    const timer = setTimeout(() => server.kill('SIGKILL'), patienceAtEnd);
    server.once('exit', () => {
      clearTimeout(timer);
      resolve();
    });
    server.kill('SIGTERM');
  });
}
