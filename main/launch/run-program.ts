/** Runs another program to its end, and says what it said. */
import { spawn } from 'node:child_process';

export interface Ended {
  /** Its exit code; undefined when it could not be started or a signal ended it. */
  readonly code: number | undefined;
  /** On standard output, and on standard error; in place of that, why it could not be started. */
  readonly out: string;
  readonly err: string;
}

export interface Circumstances {
  /** Whom it runs as; without groups but the one. */
  readonly user?: { readonly uid: number; readonly gid: number } | undefined;
  readonly environment?: NodeJS.ProcessEnv;
  /** For its standard input. */
  readonly input?: string;
  /** Milliseconds after which it is killed. */
  readonly patience?: number;
}

const usualPatience = 60_000;

/** Never rejects. */
export function runProgram(
  [program = '', ...parameters]: readonly string[],
  { user, environment = process.env, input = '', patience = usualPatience }: Circumstances = {},
): Promise<Ended> {
  return new Promise((resolve) => {
    const child = spawn(program, parameters, {
      ...user,
      env: environment,
      timeout: patience,
      windowsHide: true,
    });
    const said = { out: '', err: '' };
    child.stdout.setEncoding('utf8').on('data', (text: string) => (said.out += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (said.err += text));
    // One that reads nothing may be gone before all of it is written.
    child.stdin.on('error', () => {});
    child.stdin.end(input);
    child.once('error', (problem) => {
      resolve({ code: undefined, ...said, err: problem.message });
    });
    child.once('close', (code) => {
      resolve({ code: code ?? undefined, ...said });
    });
  });
}
