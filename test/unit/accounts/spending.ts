/** Transactions that read and then write, run by two concurrent processes. */
import type { Database } from '../../../main/accounts/store/tables.ts';

export const transactionCount = 200;

export async function incrementSpent(database: Database): Promise<void> {
  for (let turn = 0; turn < transactionCount; turn += 1)
    await database.transaction().execute(async (inside) => {
      const { spent } = await inside.selectFrom('accounts').select('spent').executeTakeFirstOrThrow();
      await inside
        .updateTable('accounts')
        .set({ spent: spent + 1 })
        .execute();
    });
}
