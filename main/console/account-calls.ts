/** What operators do with accounts and keys in the console: by the book, never so that no operator can get in any more. */
import type { Account, AccountChange } from '../accounts/account.ts';
import { accountNames, keyNames, mostCredits, type NameRule } from '../accounts/account-names.ts';
import { AccountProblem } from '../accounts/account-problem.ts';
import type { AccountBook } from '../accounts/accounts.ts';
import type { BalanceChange } from '../accounts/balance.ts';
import { Failure } from '../failure/failure.ts';
import type { ServiceLog } from '../log/service-log.ts';
import type { Handlers } from './calls.ts';
import type { ReadOf } from './contract.ts';

export interface AccountCallParts {
  readonly accounts: AccountBook;
  /** Is told who did what; no key is in it. */
  readonly log: ServiceLog;
}

type AccountCalls = Pick<
  Handlers,
  'accounts' | 'addAccount' | 'changeAccount' | 'removeAccount' | 'setCredits'
>;

type KeyCalls = Pick<Handlers, 'keys' | 'addKey' | 'revokeKey'>;

export function accountCalls({ accounts: book, log }: AccountCallParts): AccountCalls & KeyCalls {
  const note: Note = (what, by, facts) => {
    log.info({ by: by.name, ...facts }, what);
  };
  return {
    accounts: () => told(() => book.list()),
    async addAccount(wanted, caller) {
      refuseName('name', wanted.name, accountNames);
      refuseCredits(wanted.credits);
      const key = await told(() => book.add(withoutUndefined(wanted)));
      note('an account was added', caller, { account: wanted.name });
      return { key };
    },
    async changeAccount({ name, ...wanted }, caller) {
      const change: AccountChange = withoutUndefined(wanted);
      if (change.operator === false) await refuseLockOut(book, name, { caller, verb: 'demoted' });
      await told(() => book.change(name, change));
      note('an account was changed', caller, { account: name, change });
      return null;
    },
    async removeAccount({ name }, caller) {
      await refuseLockOut(book, name, { caller, verb: 'removed' });
      await told(() => book.remove(name));
      note('an account was removed', caller, { account: name });
      return null;
    },
    async setCredits({ name, credits }, caller) {
      refuseCredits(credits);
      await told(() => book.setCredits(name, balanceChange(credits)));
      note('the credits of an account were set', caller, { account: name, credits });
      return null;
    },
    ...keyCalls(book, note),
  };
}

type Note = (
  what: string,
  by: Account,
  facts: { readonly account: string; readonly [fact: string]: unknown },
) => void;

function keyCalls(book: AccountBook, note: Note): KeyCalls {
  return {
    keys: ({ name }) => told(() => book.listKeys(name)),
    async addKey({ name, purpose }, caller) {
      refuseName('purpose', purpose, keyNames);
      const key = await told(() => book.addKey(name, purpose));
      note('a key was added', caller, { account: name, purpose });
      return { key };
    },
    async revokeKey({ name, id }, caller) {
      await refuseLastKey(book, name, id);
      const { name: purpose } = await told(() => book.revokeKey(name, id));
      note('a key was revoked', caller, { account: name, id, purpose });
      return null;
    },
  };
}

/** The book's own sentences, as answers. @throws Failure notFound, valueNotAllowed */
async function told<T>(act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (problem) {
    if (!(problem instanceof AccountProblem)) throw problem;
    throw new Failure(problem.isMissing ? 'notFound' : 'valueNotAllowed', asSentence(problem.message));
  }
}

function asSentence(words: string): string {
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;
}

function refuseName(field: string, name: string, { allowed, pattern }: NameRule): void {
  if (pattern.test(name)) return;
  throw new Failure('valueNotAllowed', `${field}: the value '${name}' is not allowed; allowed: ${allowed}.`);
}

type Credits = ReadOf<'setCredits'>['credits'];

function refuseCredits(credits: Credits | undefined): void {
  const number = typeof credits === 'object' ? credits.add : credits;
  if (typeof number !== 'number' || Math.abs(number) <= mostCredits) return;
  throw new Failure(
    'valueNotAllowed',
    `credits: the value ${number} is not allowed; allowed: at most ${mostCredits}.`,
  );
}

function balanceChange(credits: Credits): BalanceChange {
  if (credits === 'unlimited') return { kind: 'unlimited' };
  if (typeof credits === 'number') return { kind: 'set', credits };
  return { kind: 'add', credits: credits.add };
}

interface Taking {
  readonly caller: Account;
  readonly verb: 'demoted' | 'removed';
}

async function refuseLockOut(book: AccountBook, name: string, { caller, verb }: Taking): Promise<void> {
  if (name === caller.name)
    throw new Failure(
      'valueNotAllowed',
      `'${name}' is the account you use, and cannot be ${verb} by itself; use another operator's.`,
    );
  const account = await told(() => book.find(name));
  if (!account.operator || (await activeKeys(book, name)).length === 0) return;
  if (!(await isLastOperator(book, name))) return;
  throw new Failure(
    'valueNotAllowed',
    `'${name}' is the last operator with a key, and cannot be ${verb}; give another operator a key first.`,
  );
}

async function refuseLastKey(book: AccountBook, name: string, id: string): Promise<void> {
  const account = await told(() => book.find(name));
  const active = await activeKeys(book, name);
  if (!account.operator || active.length !== 1 || active[0]?.id !== id) return;
  if (!(await isLastOperator(book, name))) return;
  throw new Failure(
    'valueNotAllowed',
    `This is the last key of the last operator, and cannot be revoked; make another key first.`,
  );
}

/** Whether no other operator has a key. */
async function isLastOperator(book: AccountBook, name: string): Promise<boolean> {
  const operators = (await book.list()).filter((account) => account.operator && account.name !== name);
  const keys = await Promise.all(operators.map((operator) => activeKeys(book, operator.name)));
  return keys.every(({ length }) => length === 0);
}

async function activeKeys(book: AccountBook, name: string) {
  return (await book.listKeys(name)).filter(({ revokedAt }) => revokedAt === undefined);
}

type Present<T> = { readonly [K in keyof T]: Exclude<T[K], undefined> };

/** A field that is there and undefined says nothing; zod has no other type for one that may be absent. */
function withoutUndefined<T extends object>(fields: T): Present<T> {
  const present = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(present) as Present<T>;
}
