/** Parses the values of `platen account`: names, credits, refills and limits. */
import { accountNames, keyNames } from '../../accounts/accounts.ts';
import type { AccountChange } from '../../accounts/account.ts';
import type { BalanceChange } from '../../accounts/store/account-records.ts';
import type { Refill } from '../../accounts/ledger/refill.ts';
import { UsageProblem } from '../terminal.ts';

/** Returns the only positional argument. @throws UsageProblem */
export function readSingleName(positionals: readonly string[], usage: string): string {
  const [name, extra] = positionals;
  if (name === undefined) throw new UsageProblem(`account name missing; usage: platen account ${usage}`);
  if (extra !== undefined)
    throw new UsageProblem(`'${extra}' is an unexpected argument; usage: platen account ${usage}`);
  return name;
}

/** Validates the name of a new account. Names in the settings may follow other rules. @throws UsageProblem */
export function readNewName(name: string): string {
  if (accountNames.pattern.test(name)) return name;
  throw notAllowedError('the name', name, accountNames.allowed);
}

/** Validates the name of a key. @throws UsageProblem */
export function readKeyName(name: string): string {
  if (keyNames.pattern.test(name)) return name;
  throw notAllowedError('--name', name, keyNames.allowed);
}

/** Parses the value of --credits. @throws UsageProblem */
export function readInitialCredits(text: string | undefined): { credits?: number | 'unlimited' } {
  if (text === undefined) return {};
  if (text === 'unlimited') return { credits: text };
  if (wholeNumber.test(text)) return { credits: Number(text) };
  throw notAllowedError('--credits', text, 'a whole number, or unlimited');
}

/** Parses `N`, `+N`, `-N` or `unlimited`. @throws UsageProblem */
export function readBalanceChange(text: string): BalanceChange {
  if (text === 'unlimited') return { kind: 'unlimited' };
  if (wholeNumber.test(text)) return { kind: 'set', credits: Number(text) };
  if (/^[+-]\d{1,12}$/.test(text)) return { kind: 'add', credits: Number(text) };
  throw notAllowedError('credits', text, 'N to set the balance, +N to add, -N to subtract, or unlimited');
}

/** Returns the changes that the flags request. @throws UsageProblem */
export function readAccountChange(flags: ReadonlyMap<string, string>): AccountChange {
  const read = <Value>(name: string, reader: (name: string, text: string) => Value) => {
    const text = flags.get(name);
    return text === undefined ? undefined : reader(name, text);
  };
  const operator = read('operator', onOrOff);
  const debugLog = read('debug-log', onOrOff);
  const refill = read('refill', refillOrNone);
  const jobsAtOnce = read('jobs-at-once', limitOrNone);
  const jobsPerMinute = read('jobs-per-minute', limitOrNone);
  return {
    ...(operator !== undefined && { operator }),
    ...(debugLog !== undefined && { debugLog }),
    ...(refill !== undefined && { refill }),
    ...(jobsAtOnce !== undefined && { jobsAtOnce }),
    ...(jobsPerMinute !== undefined && { jobsPerMinute }),
  };
}

/** At most 12 digits, as in the setting `accounts`. */
const wholeNumber = /^\d{1,12}$/;

function onOrOff(name: string, text: string): boolean {
  if (text === 'on' || text === 'off') return text === 'on';
  throw notAllowedError(`--${name}`, text, 'on, off');
}

function refillOrNone(name: string, text: string): Refill | 'none' {
  if (text === 'none') return text;
  const [, credits, period] = /^([1-9]\d{0,11})\/(day|month)$/.exec(text) ?? [];
  if (period === 'day' || period === 'month') return { credits: Number(credits), period };
  throw notAllowedError(`--${name}`, text, 'N/day, N/month (such as 100/day), none');
}

function limitOrNone(name: string, text: string): number | 'none' {
  if (text === 'none') return text;
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw notAllowedError(`--${name}`, text, 'a whole number of at least 1, none');
}

function notAllowedError(name: string, text: string, allowed: string): UsageProblem {
  return new UsageProblem(`${name}: the value '${text}' is not allowed; allowed: ${allowed}.`);
}
