/** Runs system commands and reports their failures. */
import { runProgram, windowsTool, type ProgramResult } from '../../launch/run-program.ts';

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

interface PowerShellOptions {
  /** Environment variables in addition to those of this process. Values in a script would need quoting. */
  readonly variables?: Readonly<Record<string, string>>;
  readonly run?: typeof runProgram;
}

/**
 * Runs a script in Windows PowerShell and returns its standard output. Removes PSModulePath from the environment: if PowerShell 7
 * has started this process, it lists modules that Windows PowerShell cannot load, and finds before its own (PowerShell issue 27774).
 * Without the variable, Windows PowerShell uses its default. @throws Error with a one-sentence message if the script fails
 */
export async function runPowerShell(
  script: string,
  { variables = {}, run = runProgram }: PowerShellOptions = {},
): Promise<string> {
  // The names of variables have any letter case on Windows, but not in a copy of process.env.
  const inherited = Object.entries(process.env).filter(([name]) => !/^PSModulePath$/i.test(name));
  return await runOrThrow([windowsTool('powershell'), '-NoProfile', '-NonInteractive', '-Command', script], {
    run,
    environment: { ...Object.fromEntries(inherited), ...variables },
  });
}

function errorText({ code, out, err }: ProgramResult): string {
  const output = err.trim() || out.trim();
  return output === '' ? `exit code ${String(code)}.` : output.split('\n').slice(-3).join(' ');
}
