/** What failed in a run: it is told and kept, and everything else is measured all the same. */

export interface Failures {
  /** A sentence each. */
  readonly sentences: readonly string[];
  /** What the work resolves with; undefined when it has failed. `what` begins the sentence about that. */
  readonly unless: <T>(what: string, work: () => Promise<T>) => Promise<T | undefined>;
}

export function openFailures(tell: (line: string) => void): Failures {
  const sentences: string[] = [];
  return {
    sentences,
    async unless(what, work) {
      try {
        return await work();
      } catch (problem) {
        const sentence = `${what} failed: ${problem instanceof Error ? problem.message : String(problem)}`;
        sentences.push(sentence);
        tell(sentence);
        return undefined;
      }
    },
  };
}
