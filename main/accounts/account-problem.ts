/** Thrown if an operation on an account or key is not possible, for example because the name already exists. */
export class AccountProblem extends Error {
  override readonly name = 'AccountProblem';
  /** Whether the named account or key does not exist. */
  readonly isMissing: boolean;

  constructor(message: string, { isMissing = false } = {}) {
    super(message);
    this.isMissing = isMissing;
  }
}
