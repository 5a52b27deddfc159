/** When an account's credits are refilled, and to what. It knows jobs only by what they hold. */
import { heldCredits } from './credits.ts';
import type { AccountRow, Database } from './tables.ts';

export type RefillPeriod = 'day' | 'month';

export interface Refill {
  /** The balance each period starts with; what running jobs hold, where that is more. */
  readonly credits: number;
  /** Of the calendar, in the machine's time zone. */
  readonly period: RefillPeriod;
}

/**
 * Whether a period has begun since the last refill. Times are milliseconds since 1970. A clock that was put back refills
 * nothing twice.
 */
export function refillIsDue(period: RefillPeriod, refilledAt: number, now: number): boolean {
  return refilledAt < startOf(period, now);
}

/**
 * The account as it is now: refilled when it is due. Right also when two processes try at once: one of them refills.
 * For use inside a transaction as well as alone. Unlimited accounts are never refilled.
 */
export async function refillIfDue(database: Database, account: AccountRow, now: number): Promise<AccountRow> {
  const { id, granted, refill_credits, refill_period, refilled_at } = account;
  if (granted === null || refill_credits === null || refill_period === null) return account;
  if (!refillIsDue(refill_period, refilled_at, now)) return account;
  // Every job looks here before it holds more: so where somebody holds more meanwhile, this finds the account refilled.
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

function startOf(period: RefillPeriod, time: number): number {
  const date = new Date(time);
  return new Date(date.getFullYear(), date.getMonth(), period === 'day' ? date.getDate() : 1).getTime();
}
