/** What cannot be done with an account, in one sentence for its operator: no such account, a name that is taken. */
export class AccountProblem extends Error {
  override readonly name = 'AccountProblem';
  /** Whether what was named is not there. */
  readonly isMissing: boolean;

  constructor(sentence: string, { isMissing = false } = {}) {
    super(sentence);
    this.isMissing = isMissing;
  }
}
