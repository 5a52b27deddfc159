/** Starts the real service, as `npm start` does, on a free port and a data folder of its own. */
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

export interface Service extends AsyncDisposable {
  readonly url: string;
  readonly data: string;
  readonly process: ChildProcess;
  /** What it has written to standard error so far. */
  readonly log: () => string;
  /** What it has written to standard output so far. */
  readonly said: () => string;
  /** Resolves with its exit code when all it wrote is here. */
  readonly stop: () => Promise<number | null>;
}

export const project = join(import.meta.dirname, '..', '..');

export interface Start {
  readonly flags?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  /** Keeps this folder instead of a temporary one. */
  readonly data?: string;
  /** A program that becomes it, such as prlimit, with its parameters. */
  readonly under?: readonly string[];
}

/** Resolves when the service says that it listens. */
export async function startService({
  flags = [],
  environment = {},
  data = temporaryFolder(),
  under,
}: Start = {}): Promise<Service> {
  const child = spawnPlaten(['serve', '--port', '0', '--data', data, ...flags], environment, under);
  let [log, said] = ['', ''];
  child.stdout?.on('data', (chunk: Buffer) => (said += chunk.toString()));
  child.stderr?.on('data', (chunk: Buffer) => (log += chunk.toString()));
  const url = await new Promise<string>((resolve, reject) => {
    if (child.stdout === null) throw new Error('no standard output');
    createInterface({ input: child.stdout }).on('line', (line) => {
      const match = /Platen listening on (https?:\S+)/.exec(line);
      if (match?.[1] !== undefined) resolve(match[1]);
    });
    child.once('exit', (code) => {
      reject(new Error(`the service ended with ${String(code)}: ${log}`));
    });
  });
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const written = new Promise((resolve) => child.stderr?.once('end', resolve));
  const stop = async () => {
    child.kill('SIGTERM');
    await written;
    return exited;
  };
  return {
    ...{ url, data, process: child, stop },
    log: () => log,
    said: () => said,
    async [Symbol.asyncDispose]() {
      if (child.exitCode === null && child.signalCode === null) await stop();
      rmSync(data, { recursive: true, force: true });
    },
  };
}

/** The process id of the Electron process behind a service, which its launcher keeps alive. Linux only. */
export function electronOf({ process: { pid } }: Pick<Service, 'process'>): number {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').map(Number);
  const electron = children.find((child) => /electron|platen/i.test(readlinkSync(`/proc/${child}/exe`)));
  if (electron === undefined) throw new Error('the service has no Electron process');
  return electron;
}

/** The command line, run as a process of its own group, as a terminal does. */
export function spawnPlaten(
  parameters: readonly string[],
  environment: Readonly<Record<string, string>> = {},
  under: readonly string[] = [],
): ChildProcess {
  const [program, ...rest] = [...under, process.execPath, join(project, '.build', 'platen.cjs')];
  const child = spawn(program, [...rest, ...parameters], {
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
    // A developer's own desktop is left alone, unless a test is about it.
    env: { ...process.env, PLATEN_TRAY: 'off', ...environment },
  });
  // In a group of its own it would outlive a test run that is cut short.
  const end = () => child.kill('SIGKILL');
  process.once('exit', end);
  child.once('exit', () => process.off('exit', end));
  return child;
}

export function temporaryFolder(): string {
  return mkdtempSync(join(tmpdir(), 'platen-test-'));
}
