/** Whose jobs a caller may see: his own; an operator everybody's. */
import { Failure } from '../failure/failure.ts';
import { AccountProblem } from './account-problem.ts';
import type { Account } from './account.ts';
import type { AccountBook } from './accounts.ts';

/**
 * The id of the account whose jobs are asked for; undefined: of all. `named`: the account that was asked for, if one was.
 * @throws Failure valueNotAllowed
 */
export async function whoseJobs(
  accounts: Pick<AccountBook, 'find'>,
  { id, name, operator }: Account,
  named: string | undefined,
): Promise<number | undefined> {
  if (named === name) return id;
  if (named === undefined) return operator ? undefined : id;
  if (!operator) throw notAllowed(named, 'your own account; an operator sees those of others');
  try {
    return (await accounts.find(named)).id;
  } catch (problem) {
    if (problem instanceof AccountProblem) throw notAllowed(named, 'the name of an account');
    throw problem;
  }
}

function notAllowed(name: string, allowed: string): Failure {
  return new Failure(
    'valueNotAllowed',
    `The value '${name.slice(0, 100)}' of account is not allowed; allowed: ${allowed}.`,
  );
}
