/** What cannot be done with an account, in one sentence for its operator: no such account, a name that is taken. */
export class AccountProblem extends Error {
  override readonly name = 'AccountProblem';
}
