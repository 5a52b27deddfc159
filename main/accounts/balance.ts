/** An account's balance as its operator sets it. What jobs take is credits.ts. */
import { AccountProblem } from './account-problem.ts';
import { requireAccount } from './account-records.ts';
import { factsOfRow, type AccountFacts } from './account.ts';
import type { AccountRow, Database } from './tables.ts';

export type BalanceChange =
  | { readonly kind: 'set'; readonly credits: number }
  /** Less than nothing takes away. */
  | { readonly kind: 'add'; readonly credits: number }
  /** Ends its refill too. */
  | { readonly kind: 'unlimited' };

/** @throws AccountProblem when there is no such account, or the balance would fall below nothing */
export async function setBalance(
  database: Database,
  name: string,
  { change, now }: { readonly change: BalanceChange; readonly now: number },
): Promise<AccountFacts> {
  return await database.transaction().execute(async (inside) => {
    const row = await requireAccount(inside, name, now);
    const granted = grantedAfter(row, change);
    const changed = await inside
      .updateTable('accounts')
      .set({ granted, ...(granted === null && { refill_credits: null, refill_period: null }) })
      .where('id', '=', row.id)
      .returningAll()
      .executeTakeFirstOrThrow();
    return factsOfRow(changed);
  });
}

function grantedAfter({ name, granted, spent }: AccountRow, change: BalanceChange): number | null {
  if (change.kind === 'unlimited') return null;
  if (change.kind === 'set') return spent + change.credits;
  if (granted === null) throw new AccountProblem(`'${name}' is unlimited; set its credits to a number first`);
  const after = granted + change.credits;
  if (after >= spent) return after;
  throw new AccountProblem(
    `'${name}' has ${granted - spent} credits left, so ${-change.credits} cannot be taken`,
  );
}
