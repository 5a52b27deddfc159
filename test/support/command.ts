/** Runs the command line as a person does, in a folder, and looks at what it says and leaves behind. */
import { spawn, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { project } from './service.ts';

export interface Command {
  readonly process: ChildProcess;
  readonly ended: Promise<Said>;
  /** Resolves when standard error says it, so many times; rejects when it ends before. */
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
  // It may end without reading.
  child.stdin.on('error', () => {});
  child.stdin.end(input);
  const out: Buffer[] = [];
  let error = '';
  child.stdout.on('data', (chunk: Buffer) => out.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => (error += chunk.toString()));
  const ended = new Promise<Said>((resolve) => {
    child.once('close', (code) => {
      resolve({ code, out: Buffer.concat(out), error });
    });
  });
  const says = (text: string, times = 1) =>
    new Promise<void>((resolve, reject) => {
      const look = () => {
        if (error.split(text).length > times) resolve();
      };
      child.stderr.on('data', look);
      look();
      void ended.then(() => {
        reject(new Error(`it ended without saying '${text}' ${times} times: ${error}`));
      });
    });
  return { process: child, ended, says };
}

export function runCommand(words: readonly string[], circumstances: Circumstances): Promise<Said> {
  return startCommand(words, circumstances).ended;
}
