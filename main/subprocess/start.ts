/** Starts child processes of the service. Plain Node. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { devNull } from 'node:os';

interface SubprocessOptions {
  /** Standard input, output and error; `ignore` is the null device. */
  readonly stdio: readonly ['pipe' | 'ignore', 'pipe' | 'ignore', 'pipe' | 'ignore'];
  /** The whole environment of the child. By default that of this process. */
  readonly env?: NodeJS.ProcessEnv;
  /** Kills the child when it aborts. The child then reports an error as well as its end. */
  readonly signal?: AbortSignal;
}

/**
 * Starts a program that inherits nothing but its standard streams. Chromium leaves the sockets to its own processes
 * inheritable for some milliseconds while it starts one. A child that inherits such a socket keeps it open. Chromium then never
 * detects that its process has ended, and jobs wait until the job limit.
 */
export function startSubprocess(
  program: string,
  parameters: readonly string[],
  { stdio, env, signal }: SubprocessOptions,
): ChildProcess {
  const options = {
    windowsHide: true,
    env,
    ...(signal !== undefined && { signal, killSignal: 'SIGKILL' as const }),
  };
  const nullDevice = openSync(devNull, 'r+');
  try {
    return spawn(program, parameters, { ...options, stdio: [...stdio, ...replacements(nullDevice)] });
  } catch (problem) {
    // A replacement needs another descriptor above all replaced ones, which the limit of descriptors may not allow.
    if ((problem as NodeJS.ErrnoException).code !== 'EINVAL') throw problem;
    return spawn(program, parameters, { ...options, stdio: [...stdio] });
  } finally {
    closeSync(nullDevice);
  }
}

/**
 * Returns what the child gets for each descriptor after the standard streams: the null device instead of a socket that it would
 * inherit, nothing for others. Only Linux needs it: Node starts programs on macOS with POSIX_SPAWN_CLOEXEC_DEFAULT, and Windows
 * inherits only named handles.
 */
function replacements(nullDevice: number): (number | 'ignore')[] {
  if (process.platform !== 'linux') return [];
  const inheritable = new Set(readdirSync('/proc/self/fd').filter(isInheritableSocket).map(Number));
  const count = Math.max(2, ...inheritable) - 2;
  return Array.from({ length: count }, (_, index) => (inheritable.has(index + 3) ? nullDevice : 'ignore'));
}

const closeOnExec = 0o2000000;

/** Reads proc(5). */
function isInheritableSocket(descriptor: string): boolean {
  try {
    if (!readlinkSync(`/proc/self/fd/${descriptor}`).startsWith('socket:')) return false;
    const info = readFileSync(`/proc/self/fdinfo/${descriptor}`, 'latin1');
    const flags = parseInt(/^flags:\s*([0-7]+)/m.exec(info)?.[1] ?? '', 8);
    return (flags & closeOnExec) === 0;
  } catch {
    // Another thread has closed it, or no descriptor is free to read the file.
    return false;
  }
}

interface SubprocessEnd {
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
