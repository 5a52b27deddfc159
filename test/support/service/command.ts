/** Runs the `platen` command in a folder and reads its output. */
import { spawn, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { project } from './service.ts';

export interface Command {
  readonly process: ChildProcess;
  readonly result: Promise<CommandResult>;
  /** Resolves when standard error contains the text `times` times (default: once); rejects if the process ends first. */
  readonly waitForStderr: (text: string, times?: number) => Promise<void>;
}

export interface CommandResult {
  readonly code: number | null;
  readonly out: Buffer;
  readonly error: string;
}

export interface CommandOptions {
  readonly folder: string;
  readonly input?: string | Buffer;
  readonly environment?: Readonly<Record<string, string>>;
}

export function startCommand(words: readonly string[], circumstances: CommandOptions): Command {
  const { folder, input, environment = {} } = circumstances;
  const child = spawn(process.execPath, [join(project, '.build', 'platen.cjs'), ...words], {
    cwd: folder,
    env: { ...process.env, ...environment },
  });
  // The process may end before it reads its input.
  child.stdin.on('error', () => {});
  child.stdin.end(input);
  const output: Buffer[] = [];
  let error = '';
  child.stdout.on('data', (chunk: Buffer) => output.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => (error += chunk.toString()));
  const result = new Promise<CommandResult>((resolve) => {
    child.once('close', (code) => {
      resolve({ code, out: Buffer.concat(output), error });
    });
  });
  const waitForStderr = (text: string, times = 1) =>
    new Promise<void>((resolve, reject) => {
      const check = () => {
        if (error.split(text).length > times) resolve();
      };
      child.stderr.on('data', check);
      check();
      void result.then(() => {
        reject(new Error(`the command ended before it printed '${text}' ${times} times: ${error}`));
      });
    });
  return { process: child, result, waitForStderr };
}

export function runCommand(words: readonly string[], circumstances: CommandOptions): Promise<CommandResult> {
  return startCommand(words, circumstances).result;
}
