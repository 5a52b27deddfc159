/** The console calls for accounts and keys. Changes after which no operator could log in are refused. */
import type { Account, AccountChange } from '../accounts/account.ts';
import { accountNames, keyNames, maxCredits, type NameRule, type AccountBook } from '../accounts/accounts.ts';
import { AccountProblem } from '../accounts/account-problem.ts';
import type { BalanceChange } from '../accounts/store/account-records.ts';
import { Failure } from '../failure/failure.ts';
import type { ServiceLog } from '../log/service-log.ts';
import type { Handlers } from './calls.ts';
import type { ParsedInputOf } from './contract.ts';

export interface AccountCallDependencies {
  readonly accounts: AccountBook;
  /** Logs who changed what, without keys. */
  readonly log: ServiceLog;
}

type AccountCalls = Pick<
  Handlers,
  'accounts' | 'addAccount' | 'changeAccount' | 'removeAccount' | 'setCredits'
>;

type KeyCalls = Pick<Handlers, 'keys' | 'addKey' | 'revokeKey'>;

export function accountCalls({ accounts: book, log }: AccountCallDependencies): AccountCalls & KeyCalls {
  const logChange: LogChange = (message, caller, facts) => {
    log.info({ by: caller.name, ...facts }, message);
  };
  return {
    accounts: () => orFailure(() => book.list()),
    async addAccount(account, caller) {
      checkName('name', account.name, accountNames);
      checkCredits(account.credits);
      const key = await orFailure(() => book.add(withoutUndefined(account)));
      logChange('an account was added', caller, { account: account.name });
      return { key };
    },
    async changeAccount({ name, ...fields }, caller) {
      const change: AccountChange = withoutUndefined(fields);
      if (change.operator === false) await checkNoLockOut(book, name, { caller, verb: 'demoted' });
      await orFailure(() => book.change(name, change));
      logChange('an account was changed', caller, { account: name, change });
      return null;
    },
    async removeAccount({ name }, caller) {
      await checkNoLockOut(book, name, { caller, verb: 'removed' });
      await orFailure(() => book.remove(name));
      logChange('an account was removed', caller, { account: name });
      return null;
    },
    async setCredits({ name, credits }, caller) {
      checkCredits(credits);
      await orFailure(() => book.setCredits(name, balanceChange(credits)));
      logChange('the credits of an account were set', caller, { account: name, credits });
      return null;
    },
    ...keyCalls(book, logChange),
  };
}

type LogChange = (
  message: string,
  caller: Account,
  facts: { readonly account: string; readonly [fact: string]: unknown },
) => void;

function keyCalls(book: AccountBook, logChange: LogChange): KeyCalls {
  return {
    keys: ({ name }) => orFailure(() => book.listKeys(name)),
    async addKey({ name, purpose }, caller) {
      checkName('purpose', purpose, keyNames);
      const key = await orFailure(() => book.addKey(name, purpose));
      logChange('a key was added', caller, { account: name, purpose });
      return { key };
    },
    async revokeKey({ name, id }, caller) {
      await checkNotLastKey(book, name, id);
      const { name: purpose } = await orFailure(() => book.revokeKey(name, id));
      logChange('a key was revoked', caller, { account: name, id, purpose });
      return null;
    },
  };
}

/** Runs an operation and turns an AccountProblem into a Failure. @throws Failure notFound, valueNotAllowed */
async function orFailure<T>(operation: () => Promise<T>): Promise<T> {
  try {
    return await operation();
  } catch (problem) {
    if (!(problem instanceof AccountProblem)) throw problem;
    throw new Failure(problem.isMissing ? 'notFound' : 'valueNotAllowed', toSentence(problem.message));
  }
}

function toSentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

function checkName(field: string, name: string, { allowed, pattern }: NameRule): void {
  if (pattern.test(name)) return;
  throw new Failure('valueNotAllowed', `${field}: the value '${name}' is not allowed; allowed: ${allowed}.`);
}

type Credits = ParsedInputOf<'setCredits'>['credits'];

function checkCredits(credits: Credits | undefined): void {
  const number = typeof credits === 'object' ? credits.add : credits;
  if (typeof number !== 'number' || Math.abs(number) <= maxCredits) return;
  throw new Failure(
    'valueNotAllowed',
    `credits: the value ${number} is not allowed; allowed: at most ${maxCredits}.`,
  );
}

function balanceChange(credits: Credits): BalanceChange {
  if (credits === 'unlimited') return { kind: 'unlimited' };
  if (typeof credits === 'number') return { kind: 'set', credits };
  return { kind: 'add', credits: credits.add };
}

interface RightsLoss {
  readonly caller: Account;
  readonly verb: 'demoted' | 'removed';
}

async function checkNoLockOut(book: AccountBook, name: string, { caller, verb }: RightsLoss): Promise<void> {
  if (name === caller.name)
    throw new Failure(
      'valueNotAllowed',
      `'${name}' is your own account and cannot be ${verb}; log in as another operator.`,
    );
  const account = await orFailure(() => book.find(name));
  if (!account.operator || (await activeKeys(book, name)).length === 0) return;
  if (!(await isLastOperator(book, name))) return;
  throw new Failure(
    'valueNotAllowed',
    `'${name}' is the last operator with a key and cannot be ${verb}; give another operator a key first.`,
  );
}

async function checkNotLastKey(book: AccountBook, name: string, id: string): Promise<void> {
  const account = await orFailure(() => book.find(name));
  const active = await activeKeys(book, name);
  if (!account.operator || active.length !== 1 || active[0]?.id !== id) return;
  if (!(await isLastOperator(book, name))) return;
  throw new Failure(
    'valueNotAllowed',
    `This is the last key of the last operator and cannot be revoked; add another key first.`,
  );
}

/** Returns whether no other operator has an active key. */
async function isLastOperator(book: AccountBook, name: string): Promise<boolean> {
  const operators = (await book.list()).filter((account) => account.operator && account.name !== name);
  const keys = await Promise.all(operators.map((operator) => activeKeys(book, operator.name)));
  return keys.every(({ length }) => length === 0);
}

async function activeKeys(book: AccountBook, name: string) {
  return (await book.listKeys(name)).filter(({ revokedAt }) => revokedAt === undefined);
}

type Defined<T> = { readonly [K in keyof T]: Exclude<T[K], undefined> };

/** Removes fields that are undefined, because zod's type for an optional field includes undefined. */
function withoutUndefined<T extends object>(fields: T): Defined<T> {
  const present = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(present) as Defined<T>;
}
