/** Starts the service as `npm start` does, but on a free port and with a temporary data folder. */
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { requestStop } from '../../../main/launch/request-file.ts';

export interface Service extends AsyncDisposable {
  readonly url: string;
  readonly data: string;
  readonly process: ChildProcess;
  /** Standard error so far. */
  readonly log: () => string;
  /** Standard output so far. */
  readonly stdout: () => string;
  /** Asks the service to stop: with SIGTERM, on Windows, which has no signals, with a file in the data folder. */
  readonly requestStop: () => void;
  /** Asks the service to stop; resolves with the exit code after all of standard error has arrived. */
  readonly stop: () => Promise<number | null>;
}

/** Also long enough for a busy machine. Without it, a service that hangs would occupy the suite until the file's time limit. */
const startTimeoutMs = 180_000;

export const project = join(import.meta.dirname, '..', '..', '..');

export interface StartOptions {
  readonly flags?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  /** Uses this data folder instead of a temporary one. */
  readonly data?: string;
  /** A program with its arguments, such as prlimit, that executes the service. */
  readonly wrapper?: readonly string[];
}

/**
 * Starts a service, and resolves when it has printed the URL that it listens on.
 * @throws Error with the service's standard error if the service ends first, or is killed because it does not listen
 */
export async function startService({
  flags = [],
  environment = {},
  data = temporaryFolder(),
  wrapper,
}: StartOptions = {}): Promise<Service> {
  const child = spawnPlaten(['serve', '--port', '0', '--data', data, ...flags], environment, wrapper);
  let log = '';
  let stdout = '';
  child.stdout?.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr?.on('data', (chunk: Buffer) => (log += chunk.toString()));
  const timer = setTimeout(() => child.kill('SIGKILL'), startTimeoutMs);
  const url = await new Promise<string>((resolve, reject) => {
    if (child.stdout === null) throw new Error('no standard output');
    createInterface({ input: child.stdout }).on('line', (line) => {
      const match = /Platen listening on (https?:\S+)/.exec(line);
      if (match?.[1] !== undefined) resolve(match[1]);
    });
    child.once('exit', (code) => {
      reject(new Error(`the service ended with ${String(code)}: ${log}`));
    });
  }).finally(() => {
    clearTimeout(timer);
  });
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const written = new Promise((resolve) => child.stderr?.once('end', resolve));
  const requestServiceStop = () => {
    if (process.platform === 'win32') requestStop(data);
    else child.kill('SIGTERM');
  };
  const stop = async () => {
    requestServiceStop();
    await written;
    return exited;
  };
  return {
    url,
    data,
    process: child,
    requestStop: requestServiceStop,
    stop,
    log: () => log,
    stdout: () => stdout,
    async [Symbol.asyncDispose]() {
      if (child.exitCode === null && child.signalCode === null) await stop();
      // On Windows, a virus scanner may have a file open.
      rmSync(data, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/**
 * Starts the `platen` command in a separate process group, as a terminal does.
 * @param under A wrapper program with its arguments.
 */
export function spawnPlaten(
  parameters: readonly string[],
  environment: Readonly<Record<string, string>> = {},
  under: readonly string[] = [],
): ChildProcess {
  const [program, ...rest] = [...under, process.execPath, join(project, '.build', 'platen.cjs')];
  const child = spawn(program, [...rest, ...parameters], {
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
    // No tray icon on the developer's desktop, unless the test enables it.
    env: { ...process.env, PLATEN_TRAY: 'off', ...environment },
  });
  // Ctrl-C in a terminal does not end a separate process group, so the service would outlive the test run.
  const end = () => child.kill('SIGKILL');
  process.once('exit', end);
  child.once('exit', () => process.off('exit', end));
  return child;
}

/** Runs the `platen` command until it exits. */
export async function runPlaten(
  words: readonly string[],
  environment: Readonly<Record<string, string>> = {},
) {
  const child = spawnPlaten(words, environment);
  if (child.stdout === null || child.stderr === null) throw new Error('no output');
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const [out, err, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  return { code, out, err };
}

export function temporaryFolder(): string {
  return mkdtempSync(join(tmpdir(), 'platen-test-'));
}
