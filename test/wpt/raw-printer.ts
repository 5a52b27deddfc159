/** Prints with bare Electron (raw/main.cjs), in the version that the service uses. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { openDisplay } from '../../main/launch/display.ts';
import { electron } from '../support/console/console-window.ts';
import { temporaryFolder } from '../support/service/service.ts';

export interface RawPrinter extends AsyncDisposable {
  /** Prints the page at a URL to a file. @throws Error with the message of Electron */
  readonly print: (url: string, to: string) => Promise<void>;
}

export async function openRawPrinter(): Promise<RawPrinter> {
  const display = await openDisplay();
  const flags = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  const linux = process.platform === 'linux' ? ['--ozone-platform=x11'] : [];
  const data = `--user-data-dir=${temporaryFolder()}`;
  const child = spawn(electron(), [...flags, ...linux, data, join(import.meta.dirname, 'raw')], {
    env: { ...process.env, ...display.environment },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const pending = new Map<string, { resolve: () => void; reject: (problem: Error) => void }>();
  createInterface({ input: child.stdout }).on('line', (line) => {
    if (!line.startsWith('{')) return;
    const { to, problem } = JSON.parse(line) as { to: string; problem?: string };
    if (problem === undefined) pending.get(to)?.resolve();
    else pending.get(to)?.reject(new Error(problem));
    pending.delete(to);
  });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  void ended.then(() => {
    for (const { reject } of pending.values()) reject(new Error('Electron ended.'));
  });
  return {
    print: (url, to) =>
      new Promise((resolve, reject) => {
        pending.set(to, { resolve, reject });
        child.stdin.write(`${JSON.stringify({ url, to })}\n`);
      }),
    async [Symbol.asyncDispose]() {
      child.stdin.end();
      await ended;
      await display[Symbol.asyncDispose]();
    },
  };
}
