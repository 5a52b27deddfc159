/** Records the failures of a run, prints them, and lets the run continue. */

export interface Failures {
  /** One sentence for each failure. */
  readonly sentences: readonly string[];
  /** Returns the result of the work, or undefined if it failed. The sentence about a failure starts with `what`. */
  readonly attempt: <T>(what: string, work: () => Promise<T>) => Promise<T | undefined>;
}

export function openFailures(print: (line: string) => void): Failures {
  const sentences: string[] = [];
  return {
    sentences,
    async attempt(what, work) {
      try {
        return await work();
      } catch (problem) {
        const sentence = `${what} failed: ${problem instanceof Error ? problem.message : String(problem)}`;
        sentences.push(sentence);
        print(sentence);
        return undefined;
      }
    },
  };
}
