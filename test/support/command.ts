/** Runs the command line in a folder and reads its output. */
import { spawn, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { project } from './service.ts';

export interface Command {
  readonly process: ChildProcess;
  readonly ended: Promise<Said>;
  /** Resolves when standard error has the text this many times; rejects if the process ends first. */
  readonly says: (text: string, times?: number) => Promise<void>;
}

export interface Said {
  readonly code: number | null;
  readonly out: Buffer;
  readonly error: string;
}

export interface Circumstances {
  readonly folder: string;
  readonly input?: string | Buffer;
  readonly environment?: Readonly<Record<string, string>>;
}

export function startCommand(words: readonly string[], circumstances: Circumstances): Command {
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
  const ended = new Promise<Said>((resolve) => {
    child.once('close', (code) => {
      resolve({ code, out: Buffer.concat(output), error });
    });
  });
  const hasPrinted = (text: string, times = 1) =>
    new Promise<void>((resolve, reject) => {
      const check = () => {
        if (error.split(text).length > times) resolve();
      };
      child.stderr.on('data', check);
      check();
      void ended.then(() => {
        reject(new Error(`the command ended before it printed '${text}' ${times} times: ${error}`));
      });
    });
  return { process: child, ended, says: hasPrinted };
}

export function runCommand(words: readonly string[], circumstances: Circumstances): Promise<Said> {
  return startCommand(words, circumstances).ended;
}
