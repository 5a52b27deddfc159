/** What may be written for an account: names, credits, refills, limits. */
import { accountNames, keyNames } from '../../accounts/account-names.ts';
import type { AccountChange } from '../../accounts/account.ts';
import type { BalanceChange } from '../../accounts/balance.ts';
import type { Refill } from '../../accounts/refill.ts';
import { UsageProblem } from '../usage-problem.ts';

/** Its name is the one word that stands alone. @throws UsageProblem */
export function onlyName(alone: readonly string[], usage: string): string {
  const [name, extra] = alone;
  if (name === undefined) throw new UsageProblem(`which account? usage: platen account ${usage}`);
  if (extra !== undefined)
    throw new UsageProblem(`'${extra}' is one word too many; usage: platen account ${usage}`);
  return name;
}

/** A name that is new: names of the settings may be others. @throws UsageProblem */
export function newName(name: string): string {
  if (accountNames.pattern.test(name)) return name;
  throw notAllowed('the name', name, accountNames.allowed);
}

/** What the key is for. @throws UsageProblem */
export function keyName(name: string): string {
  if (keyNames.pattern.test(name)) return name;
  throw notAllowed('--name', name, keyNames.allowed);
}

/** @throws UsageProblem */
export function firstCredits(text: string | undefined): { credits?: number | 'unlimited' } {
  if (text === undefined) return {};
  if (text === 'unlimited') return { credits: text };
  if (wholeNumber.test(text)) return { credits: Number(text) };
  throw notAllowed('--credits', text, 'a whole number, or unlimited');
}

/** `N`, `+N`, `-N`, `unlimited`. @throws UsageProblem */
export function balanceChange(text: string): BalanceChange {
  if (text === 'unlimited') return { kind: 'unlimited' };
  if (wholeNumber.test(text)) return { kind: 'set', credits: Number(text) };
  if (/^[+-]\d{1,12}$/.test(text)) return { kind: 'add', credits: Number(text) };
  throw notAllowed('the credits', text, 'N to set them, +N to add, -N to take away, or unlimited');
}

/** What the flags change, those that are there. @throws UsageProblem */
export function changeOf(flags: ReadonlyMap<string, string>): AccountChange {
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

/** As many digits as a credit count of the settings has. */
const wholeNumber = /^\d{1,12}$/;

function onOrOff(name: string, text: string): boolean {
  if (text === 'on' || text === 'off') return text === 'on';
  throw notAllowed(`--${name}`, text, 'on, off');
}

function refillOrNone(name: string, text: string): Refill | 'none' {
  if (text === 'none') return text;
  const [, credits, period] = /^([1-9]\d{0,11})\/(day|month)$/.exec(text) ?? [];
  if (period === 'day' || period === 'month') return { credits: Number(credits), period };
  throw notAllowed(`--${name}`, text, 'N/day, N/month (such as 100/day), none');
}

function limitOrNone(name: string, text: string): number | 'none' {
  if (text === 'none') return text;
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw notAllowed(`--${name}`, text, 'a whole number from 1 on, none');
}

function notAllowed(what: string, text: string, allowed: string): UsageProblem {
  return new UsageProblem(`${what}: the value '${text}' is not allowed; allowed: ${allowed}.`);
}
