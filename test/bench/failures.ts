/** Records and prints the failures of a run, so that the run can continue. */

export interface Failures {
  /** A message for each failure. */
  readonly sentences: readonly string[];
  /** Returns the result of the work, or undefined if it fails. The message for the failure starts with `what`. */
  readonly attempt: <T>(what: string, work: () => Promise<T>) => Promise<T | undefined>;
}

export function openFailures(print: (line: string) => void): Failures {
  const messages: string[] = [];
  return {
    sentences: messages,
    async attempt(what, work) {
      try {
        return await work();
      } catch (problem) {
        const sentence = `${what} failed: ${problem instanceof Error ? problem.message : String(problem)}`;
        messages.push(sentence);
        print(sentence);
        return undefined;
      }
    },
  };
}
