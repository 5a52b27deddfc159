/** The contents of an account form: validates them and computes the changes to send. Pure functions. */
import type { AccountFacts } from '../../../main/accounts/account.ts';
import type { InputOf } from '../../../main/console/contract.ts';
import type { TextKey } from '../../texts/text.ts';
import { readAmount } from './amount.ts';

export interface AccountDraft {
  readonly name: string;
  readonly limited: boolean;
  /** The initial balance; for new accounts only. */
  readonly credits: string;
  readonly period: 'none' | 'day' | 'month';
  readonly refill: string;
  /** `jobsAtOnce` and `jobsPerMinute`: empty for no limit. */
  readonly jobsAtOnce: string;
  readonly jobsPerMinute: string;
  readonly operator: boolean;
  readonly debugLog: boolean;
}

export type DraftProblems = { readonly [F in keyof AccountDraft]?: TextKey };

type Change = Omit<InputOf<'changeAccount'>, 'name'>;

export const newDraft: AccountDraft = {
  name: '',
  limited: false,
  credits: '1000',
  period: 'none',
  refill: '1000',
  jobsAtOnce: '',
  jobsPerMinute: '',
  operator: false,
  debugLog: false,
};

export function draftOf(account: AccountFacts): AccountDraft {
  const { name, balance, refill, jobsAtOnce, jobsPerMinute, operator, debugLog } = account;
  return {
    name,
    limited: balance !== undefined,
    credits: String(balance ?? ''),
    period: refill?.period ?? 'none',
    refill: String(refill?.credits ?? 1000),
    jobsAtOnce: String(jobsAtOnce ?? ''),
    jobsPerMinute: String(jobsPerMinute ?? ''),
    operator,
    debugLog,
  };
}

/** Returns the text keys of the errors by field; an empty object if the form can be sent. */
export function problemsIn(draft: AccountDraft): DraftProblems {
  const { name, limited, credits, period, refill, jobsAtOnce, jobsPerMinute } = draft;
  return {
    // The same rule as in main/accounts/accounts.ts. Only the service can check whether the name is already taken.
    ...(!/^[\p{L}\p{N}._@-]{1,64}$/u.test(name) && { name: 'accounts.name.wrong' }),
    ...(limited && readAmount(credits) === undefined && { credits: 'accounts.amount.wrong' }),
    ...(limited && period !== 'none' && !readAmount(refill) && { refill: 'accounts.amount.wrong.one' }),
    ...(isInvalidLimit(jobsAtOnce) && { jobsAtOnce: 'accounts.limit.wrong' }),
    ...(isInvalidLimit(jobsPerMinute) && { jobsPerMinute: 'accounts.limit.wrong' }),
  };
}

/** Returns whether the text is neither empty nor a whole number of 1 or more. */
function isInvalidLimit(text: string): boolean {
  return text.trim() !== '' && !readAmount(text);
}

export function newAccountOf(draft: AccountDraft): InputOf<'addAccount'> {
  const { name, limited, credits } = draft;
  return { name, credits: limited ? (readAmount(credits) ?? 0) : 'unlimited', ...nonDefaultSettings(draft) };
}

/** Returns the fields that differ between the two drafts. */
export function changeOf(before: AccountDraft, after: AccountDraft): Change {
  const oldSettings = settingsOf(before);
  const newSettings = settingsOf(after);
  const changed = Object.entries(newSettings).filter(
    ([field, value]) => JSON.stringify(value) !== JSON.stringify(oldSettings[field as keyof Change]),
  );
  return Object.fromEntries(changed);
}

function nonDefaultSettings(draft: AccountDraft): Change {
  return Object.fromEntries(
    Object.entries(settingsOf(draft)).filter(([, value]) => value !== 'none' && value !== false),
  );
}

function settingsOf({ limited, period, refill, ...draft }: AccountDraft): Required<Change> {
  return {
    operator: draft.operator,
    // An unlimited account needs no refill.
    refill: limited && period !== 'none' ? { credits: readAmount(refill) ?? 1, period } : 'none',
    jobsAtOnce: readAmount(draft.jobsAtOnce) ?? 'none',
    jobsPerMinute: readAmount(draft.jobsPerMinute) ?? 'none',
    debugLog: draft.debugLog,
  };
}
