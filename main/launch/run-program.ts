/** Runs another program until it exits and returns its output. */
import { spawn } from 'node:child_process';
import { win32 } from 'node:path';

export interface ProgramResult {
  /** The exit code; undefined if the program could not be started or a signal ended it. */
  readonly code: number | undefined;
  /** Standard output and standard error. If the program could not be started, `err` is the reason. */
  readonly out: string;
  readonly err: string;
}

export interface RunProgramOptions {
  /** The user and the only group that the program runs as. */
  readonly user?: { readonly uid: number; readonly gid: number } | undefined;
  readonly environment?: NodeJS.ProcessEnv;
  /** Text for the program's standard input. */
  readonly input?: string;
  /** The program is killed after this time. */
  readonly timeoutMs?: number;
}

const defaultTimeoutMs = 60_000;

/** How long to wait for the end of the output after the program has exited. */
const outputTimeoutMs = 1000;

/** Runs a program, given as a list of words. Never rejects. */
export function runProgram(
  [program = '', ...parameters]: readonly string[],
  { user, environment = process.env, input = '', timeoutMs = defaultTimeoutMs }: RunProgramOptions = {},
): Promise<ProgramResult> {
  return new Promise((resolve) => {
    const child = spawn(program, parameters, {
      ...user,
      env: environment,
      timeout: timeoutMs,
      windowsHide: true,
    });
    const output = { out: '', err: '' };
    child.stdout.setEncoding('utf8').on('data', (text: string) => (output.out += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (output.err += text));
    // A program that does not read its input may exit before all of it is written.
    child.stdin.on('error', () => {});
    child.stdin.end(input);
    child.once('error', (problem) => {
      resolve({ code: undefined, ...output, err: problem.message });
    });
    child.once('close', (code) => {
      resolve({ code: code ?? undefined, ...output });
    });
    // A process that the program has started may keep its output open, and `close` is then emitted only when that process exits.
    child.once('exit', () => {
      setTimeout(() => {
        child.stdout.destroy();
        child.stderr.destroy();
      }, outputTimeoutMs).unref();
    });
  });
}

type WindowsTool = 'cmd' | 'icacls' | 'netsh' | 'powershell' | 'reg' | 'schtasks' | 'taskkill' | 'whoami';

/** Returns the absolute path of a tool of Windows. A bare name would also be searched for in the current folder and in PATH. */
export function windowsTool(
  name: WindowsTool,
  { SystemRoot = 'C:\\Windows' }: Readonly<NodeJS.ProcessEnv> = process.env,
): string {
  const folder = win32.join(SystemRoot, 'System32');
  return name === 'powershell'
    ? win32.join(folder, 'WindowsPowerShell', 'v1.0', 'powershell.exe')
    : win32.join(folder, `${name}.exe`);
}
