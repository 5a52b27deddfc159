/** Texts for the balance, refill, dates and limits of an account. */
import type { AccountFacts } from '../../main/accounts/account.ts';
import { language, number, t } from '../texts/text.ts';

export function balanceText({ balance }: AccountFacts): string {
  return balance === undefined ? t('accounts.unlimited') : number(balance);
}

/** Returns a string such as `refilled to 1,000 every day`; undefined if the account has no refill. */
export function refillText({ refill }: AccountFacts): string | undefined {
  return refill && t(`accounts.refill.${refill.period}.to`, { credits: number(refill.credits) });
}

/** Formats the date without the time. */
export function dateText(time: number): string {
  return new Intl.DateTimeFormat(language.value, { dateStyle: 'medium' }).format(time);
}

/** Returns one text for each limit; empty if the account has no limits. */
export function limitTexts({ jobsAtOnce, jobsPerMinute }: AccountFacts): string[] {
  return [
    ...(jobsAtOnce === undefined ? [] : [t('accounts.limit.at.once', { count: number(jobsAtOnce) })]),
    ...(jobsPerMinute === undefined
      ? []
      : [t('accounts.limit.per.minute', { count: number(jobsPerMinute) })]),
  ];
}
