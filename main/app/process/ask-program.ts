/** Runs a program of the machine and returns its output. Used to query desktop settings. */
import { execFile } from 'node:child_process';

/** A program that does not answer in time counts as missing. */
const timeoutMs = 3000;

/** Returns the standard output, or undefined when the program is missing or fails. */
export function runProgram(program: string, parameters: readonly string[]): Promise<string | undefined> {
  return new Promise((resolve) => {
    execFile(program, parameters, { timeout: timeoutMs, windowsHide: true }, (problem, output) => {
      resolve(problem === null ? output : undefined);
    });
  });
}
