/** What another program of the machine says when it is asked something of the desktop. */
import { execFile } from 'node:child_process';

/** Milliseconds; one that does not answer is as good as missing. */
const patience = 3000;

/** Its standard output; undefined when it is missing or fails. */
export function askProgram(program: string, parameters: readonly string[]): Promise<string | undefined> {
  return new Promise((resolve) => {
    execFile(program, parameters, { timeout: patience, windowsHide: true }, (problem, said) => {
      resolve(problem === null ? said : undefined);
    });
  });
}
