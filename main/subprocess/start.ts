/** Starts child processes of the service. Does not depend on Electron. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { devNull } from 'node:os';

interface SubprocessOptions {
  /** Standard input, output and error; `ignore` is the null device. */
  readonly stdio: readonly ['pipe' | 'ignore', 'pipe' | 'ignore', 'pipe' | 'ignore'];
  /** The whole environment of the child. Default: the environment of this process. */
  readonly env?: NodeJS.ProcessEnv;
  /** Kills the child when aborted. The child then emits 'error' as well as 'close'. */
  readonly signal?: AbortSignal;
}

/**
 * Starts a program that inherits only its standard streams. While Chromium starts one of its processes, the socket to that process
 * is inheritable for some milliseconds. A child that inherits the socket keeps it open. Chromium then never detects that its own
 * process has ended, and jobs wait until the job timeout.
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
    // Replacing descriptors needs one more descriptor above all others, which the limit on open files may not allow.
    if ((problem as NodeJS.ErrnoException).code !== 'EINVAL') throw problem;
    return spawn(program, parameters, { ...options, stdio: [...stdio] });
  } finally {
    closeSync(nullDevice);
  }
}

/**
 * Returns the `stdio` entries for the descriptors after the standard streams: the null device instead of a socket that the child
 * would inherit, `ignore` for others. Returns an empty list except on Linux: Node starts programs on macOS with
 * POSIX_SPAWN_CLOEXEC_DEFAULT, and on Windows a child inherits only the handles listed for it.
 */
function replacements(nullDevice: number): (number | 'ignore')[] {
  if (process.platform !== 'linux') return [];
  const inheritable = new Set(readdirSync('/proc/self/fd').filter(isInheritableSocket).map(Number));
  const count = Math.max(2, ...inheritable) - 2;
  return Array.from({ length: count }, (_, index) => (inheritable.has(index + 3) ? nullDevice : 'ignore'));
}

const closeOnExec = 0o2000000;

/** Returns whether a descriptor is a socket without the close-on-exec flag. Reads /proc, see proc(5). */
function isInheritableSocket(descriptor: string): boolean {
  try {
    if (!readlinkSync(`/proc/self/fd/${descriptor}`).startsWith('socket:')) return false;
    const info = readFileSync(`/proc/self/fdinfo/${descriptor}`, 'latin1');
    const flags = parseInt(/^flags:\s*([0-7]+)/m.exec(info)?.[1] ?? '', 8);
    return (flags & closeOnExec) === 0;
  } catch {
    // Another thread has closed the descriptor, or no descriptor is free to read the file.
    return false;
  }
}

interface SubprocessEnd {
  /** The exit code, or null if a signal ended the child. */
  readonly code: number | null;
  readonly signal: string | null;
}

/** Waits until the child has ended and its streams are closed. @throws Error if it could not start or its signal was aborted */
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
