/** Starts child processes of the service. Plain Node. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readdirSync } from 'node:fs';
import { devNull } from 'node:os';

export interface SubprocessOptions {
  /** Standard input, output and error; `ignore` is the null device. */
  readonly stdio: readonly ['pipe' | 'ignore', 'pipe' | 'ignore', 'pipe' | 'ignore'];
  /** The whole environment of the child. By default that of this process. */
  readonly env?: NodeJS.ProcessEnv;
  /** Kills the child when it aborts. The child then reports an error as well as its end. */
  readonly signal?: AbortSignal;
}

/** Descriptors that other threads may open between the look at /proc and the start. */
const spareDescriptors = 64;

/**
 * Starts a program that inherits nothing but its standard streams. Chromium leaves the sockets to its own processes
 * inheritable for some milliseconds while it starts one. A child that inherits such a socket keeps it open, and then Chromium never
 * learns that its process has ended, and jobs wait until the job limit.
 */
export function startSubprocess(
  program: string,
  parameters: readonly string[],
  { stdio, env, signal }: SubprocessOptions,
): ChildProcess {
  const nullDevice = openSync(devNull, 'r+');
  try {
    return spawn(program, parameters, {
      stdio: [...stdio, ...Array<number>(inheritableCount()).fill(nullDevice)],
      windowsHide: true,
      env,
      ...(signal !== undefined && { signal, killSignal: 'SIGKILL' }),
    });
  } finally {
    closeSync(nullDevice);
  }
}

/**
 * The number of descriptors after the standard streams that the child might inherit. Only Linux has any: Node starts programs on
 * macOS with POSIX_SPAWN_CLOEXEC_DEFAULT, and on Windows handles are not inherited unless they are named.
 */
function inheritableCount(): number {
  if (process.platform !== 'linux') return 0;
  const largest = Math.max(2, ...readdirSync('/proc/self/fd').map(Number));
  return largest - 2 + spareDescriptors;
}

export interface SubprocessEnd {
  /** The exit code, or null if a signal ended the child. */
  readonly code: number | null;
  readonly signal: string | null;
}

/** Waits until the child has ended and its streams are closed. @throws Error if it could not start or its signal aborted */
export async function endOf(child: ChildProcess): Promise<SubprocessEnd> {
  try {
    const [code, signal] = (await once(child, 'close')) as [SubprocessEnd['code'], SubprocessEnd['signal']];
    return { code, signal };
  } catch (problem) {
    const isRunning = child.pid !== undefined && child.exitCode === null && child.signalCode === null;
    if (isRunning) await new Promise((resolve) => child.once('close', resolve));
    throw problem;
  }
}
