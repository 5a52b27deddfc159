/** An account's balance as its operator sets it, and jobs do not lose what they hold by it. What jobs take is credits.ts. */
import { AccountProblem } from './account-problem.ts';
import { requireAccount } from './account-records.ts';
import { factsOfRow, type AccountFacts } from './account.ts';
import { heldCredits } from './credits.ts';
import type { AccountRow, Database } from './tables.ts';

export type BalanceChange =
  | { readonly kind: 'set'; readonly credits: number }
  /** Less than nothing takes away. */
  | { readonly kind: 'add'; readonly credits: number }
  /** Ends its refill too. */
  | { readonly kind: 'unlimited' };

export interface ChangedBalance {
  readonly account: AccountFacts;
  /** Credits that running jobs hold, where they kept the balance from falling lower. */
  readonly keptFor?: number;
}

/**
 * Never sets less than running jobs hold.
 * @throws AccountProblem when there is no such account, or the balance would fall below nothing
 */
export async function setBalance(
  database: Database,
  name: string,
  { change, now }: { readonly change: BalanceChange; readonly now: number },
): Promise<ChangedBalance> {
  return await database.transaction().execute(async (inside) => {
    const row = await requireAccount(inside, name, now);
    const [balance, held] = [balanceAfter(row, change), await heldCredits(inside, row.id)];
    const granted = balance === null ? null : row.spent + Math.max(balance, held);
    const changed = await inside
      .updateTable('accounts')
      .set({ granted, ...(granted === null && { refill_credits: null, refill_period: null }) })
      .where('id', '=', row.id)
      .returningAll()
      .executeTakeFirstOrThrow();
    return { account: factsOfRow(changed), ...(balance !== null && balance < held && { keptFor: held }) };
  });
}

/** Null for one without a limit. */
function balanceAfter({ name, granted, spent }: AccountRow, change: BalanceChange): number | null {
  if (change.kind === 'unlimited') return null;
  if (change.kind === 'set') return change.credits;
  if (granted === null) throw new AccountProblem(`'${name}' is unlimited; set its credits to a number first`);
  const before = granted - spent;
  if (before + change.credits >= 0) return before + change.credits;
  throw new AccountProblem(`'${name}' has ${before} credits left, so ${-change.credits} cannot be taken`);
}
