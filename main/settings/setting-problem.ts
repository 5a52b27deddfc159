/** A setting that stops the start: one line for the terminal, exit code 2. */
export class SettingProblem extends Error {}

/** Is given each problem, and what is left is read all the same; absent: the first problem is thrown. */
export type Complain = ((problem: SettingProblem) => void) | undefined;

/** What `read` gives; undefined where it has a problem and there is somebody to hear of it. @throws SettingProblem otherwise */
export function attempt<T>(complain: Complain, read: () => T): T | undefined {
  if (complain === undefined) return read();
  try {
    return read();
  } catch (problem) {
    if (!(problem instanceof SettingProblem)) throw problem;
    complain(problem);
    return undefined;
  }
}
