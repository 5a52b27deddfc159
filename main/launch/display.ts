/** A display for Chromium: the desktop's, or on Linux without one an Xvfb of our own that ends with us. */
import { spawn, type ChildProcess } from 'node:child_process';
import type { Readable } from 'node:stream';

export interface Display extends Disposable {
  readonly environment: Readonly<Record<string, string>>;
}

const patience = 20_000;

/** @throws Error with one sentence when no display can be had. */
export async function openDisplay(): Promise<Display> {
  if (process.platform !== 'linux' || (process.env.DISPLAY ?? '') !== '')
    return { environment: {}, [Symbol.dispose]() {} };
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
    environment: { DISPLAY: `:${number}` },
    [Symbol.dispose]() {
      server.kill('SIGTERM');
    },
  };
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
