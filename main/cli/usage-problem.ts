/** A command line that says nothing we can do; the message names what is wrong and what to write instead. Ends with exit code 2. */
export class UsageProblem extends Error {
  override readonly name = 'UsageProblem';
}
