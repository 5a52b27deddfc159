/** Runs system commands and explains their failures. */
import { runProgram, type ProgramResult } from '../../launch/run-program.ts';

/** Stopping a service takes as long as its jobs. */
const timeoutMs = 120_000;

/** Returns the command's standard output. @throws Error with one sentence if it fails */
export async function mustRun(words: readonly string[]): Promise<string> {
  const ended = await runProgram(words, { timeoutMs });
  if (ended.code === 0) return ended.out;
  throw new Error(`'${words.join(' ')}' failed: ${errorText(ended)}`);
}

/** Returns the command's standard output; undefined if it fails. */
export async function tryRun(words: readonly string[]): Promise<string | undefined> {
  const ended = await runProgram(words, { timeoutMs });
  return ended.code === 0 ? ended.out : undefined;
}

function errorText({ code, out, err }: ProgramResult): string {
  const said = err.trim() || out.trim();
  return said === '' ? `exit code ${String(code)}.` : said.split('\n').slice(-3).join(' ');
}
