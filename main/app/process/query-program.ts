/** Runs a program that is installed on the machine and returns its output. Used to query desktop settings. */
import { text } from 'node:stream/consumers';
import { endOf, startSubprocess } from '../../subprocess/start.ts';

/** A program that does not exit within this time counts as missing. */
const timeoutMs = 3000;

/** Returns the standard output, or undefined if the program is missing or exits with an error. */
export async function queryProgram(
  program: string,
  parameters: readonly string[],
): Promise<string | undefined> {
  const signal = AbortSignal.timeout(timeoutMs);
  try {
    const child = startSubprocess(program, parameters, { stdio: ['ignore', 'pipe', 'ignore'], signal });
    const [{ code }, output] = await Promise.all([endOf(child), child.stdout ? text(child.stdout) : '']);
    return code === 0 ? output : undefined;
  } catch {
    return undefined;
  }
}
