/** Thrown for a setting that prevents the start. It is reported as one line on the terminal, with exit code 2. */
export class SettingProblem extends Error {}

/** Called with each problem; reading then continues. If absent, the first problem is thrown. */
export type OnSettingProblem = ((problem: SettingProblem) => void) | undefined;

/**
 * Returns what `read` returns, or undefined after reporting its problem to `onProblem`.
 * @throws SettingProblem if `onProblem` is absent
 */
export function readOrReport<T>(onProblem: OnSettingProblem, read: () => T): T | undefined {
  if (onProblem === undefined) return read();
  try {
    return read();
  } catch (problem) {
    if (!(problem instanceof SettingProblem)) throw problem;
    onProblem(problem);
    return undefined;
  }
}
