/** Runs system commands and reports their failures. */
import { runProgram, type ProgramResult } from '../../launch/run-program.ts';

/** Longer than a service needs to finish its running jobs (30 s), because a command that stops the service waits for them. */
const timeoutMs = 120_000;

interface SystemCommandOptions {
  readonly environment?: NodeJS.ProcessEnv;
  readonly run?: typeof runProgram;
}

/** Runs a command and returns its standard output. @throws Error with a one-sentence message if the command fails */
export async function runOrThrow(
  command: readonly string[],
  { environment = process.env, run = runProgram }: SystemCommandOptions = {},
): Promise<string> {
  const result = await run(command, { timeoutMs, environment });
  if (result.code === 0) return result.out;
  throw new Error(`'${command.join(' ')}' failed: ${errorText(result)}`);
}

/** Runs a command and returns its standard output; undefined if the command fails. */
export async function tryRun(command: readonly string[], run = runProgram): Promise<string | undefined> {
  const result = await run(command, { timeoutMs });
  return result.code === 0 ? result.out : undefined;
}

function errorText({ code, out, err }: ProgramResult): string {
  const output = err.trim() || out.trim();
  return output === '' ? `exit code ${String(code)}.` : output.split('\n').slice(-3).join(' ');
}
