/** Commands of the system, and what to say when they fail. */
import { runProgram, type Ended } from '../../launch/run-program.ts';

/** Milliseconds; to stop a service takes as long as its jobs. */
const patience = 120_000;

/** What it said. @throws Error with one sentence when it fails */
export async function mustRun(words: readonly string[]): Promise<string> {
  const ended = await runProgram(words, { patience });
  if (ended.code === 0) return ended.out;
  throw new Error(`'${words.join(' ')}' failed: ${whyOf(ended)}`);
}

/** What it said; undefined when it fails. */
export async function mayRun(words: readonly string[]): Promise<string | undefined> {
  const ended = await runProgram(words, { patience });
  return ended.code === 0 ? ended.out : undefined;
}

function whyOf({ code, out, err }: Ended): string {
  const said = err.trim() || out.trim();
  return said === '' ? `exit code ${String(code)}.` : said.split('\n').slice(-3).join(' ');
}
