/** Refills the credits of accounts at the start of each day or month. */
import { heldCredits } from './credits.ts';
import type { AccountRow, Database } from '../store/tables.ts';

type RefillPeriod = 'day' | 'month';

export interface Refill {
  /** The balance at the start of each period, or the number of credits that running jobs hold, if that is more. */
  readonly credits: number;
  /** A calendar day or month in the machine's time zone. */
  readonly period: RefillPeriod;
}

/**
 * Returns whether a period has started since the last refill. Times are in milliseconds since 1970. If the clock was set back,
 * no account is refilled twice.
 */
export function refillIsDue(period: RefillPeriod, refilledAt: number, now: number): boolean {
  return refilledAt < startOf(period, now);
}

/**
 * Refills the account if a refill is due, and returns its current row. If two processes try at the same time, only one refills.
 * Works inside and outside a transaction. Unlimited accounts are never refilled.
 */
export async function refillIfDue(database: Database, account: AccountRow, now: number): Promise<AccountRow> {
  const { id, granted, refill_credits, refill_period, refilled_at } = account;
  if (granted === null || refill_credits === null || refill_period === null) return account;
  if (!refillIsDue(refill_period, refilled_at, now)) return account;
  // This function is called before a job reserves credits. If a job reserves credits after this sum was read, its call has already
  // refilled the account, and the update below changes nothing.
  const balance = Math.max(refill_credits, await heldCredits(database, id));
  await database
    .updateTable('accounts')
    .set(({ eb }) => ({ granted: eb('spent', '+', balance), refilled_at: now }))
    .where('id', '=', id)
    .where('refilled_at', '=', refilled_at)
    .execute();
  const refilled = await database.selectFrom('accounts').selectAll().where('id', '=', id).executeTakeFirst();
  return refilled ?? account;
}

/** Returns the start of the day or month in milliseconds since 1970, in the machine's time zone. */
export function startOf(period: RefillPeriod, time: number): number {
  const date = new Date(time);
  return new Date(date.getFullYear(), date.getMonth(), period === 'day' ? date.getDate() : 1).getTime();
}
