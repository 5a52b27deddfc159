/** What accounts have left, for statistics: as it stands in the database, which a refill that is due will change. */
import type { Database } from './tables.ts';

/** Every account with a limit, by name. */
export async function balancesOf(
  database: Database,
): Promise<readonly { readonly account: string; readonly remaining: number }[]> {
  const rows = await database
    .selectFrom('accounts')
    .select(['name', 'granted', 'spent'])
    .where('granted', 'is not', null)
    .orderBy('name')
    .execute();
  return rows.map(({ name, granted, spent }) => ({ account: name, remaining: Number(granted) - spent }));
}
