/** Debug logs in a database that several nodes share, so that each node can show them. */
import type { Database } from '../tables.ts';

/** What the store of debug logs (log/debug-logs.ts) needs of a database. Ids are unguessable; `events` is compressed with gzip. */
export function openDebugLogRecords(database: Database) {
  return {
    async store(id: string, events: Buffer): Promise<void> {
      await database
        .insertInto('debug_logs')
        .values({ id, events, created_at: Date.now() })
        .onConflict((conflict) => conflict.column('id').doUpdateSet({ events }))
        .execute();
    },
    /** Returns undefined for a log that is unknown or older than `maxAgeMs`. */
    async read(id: string, maxAgeMs: number): Promise<Buffer | undefined> {
      const row = await database
        .selectFrom('debug_logs')
        .select('events')
        .where('id', '=', id)
        .where('created_at', '>', Date.now() - maxAgeMs)
        .executeTakeFirst();
      return row?.events;
    },
    async remove(ids: readonly string[]): Promise<void> {
      if (ids.length === 0) return;
      await database.deleteFrom('debug_logs').where('id', 'in', ids).execute();
    },
    async removeOlderThan(maxAgeMs: number): Promise<void> {
      await database
        .deleteFrom('debug_logs')
        .where('created_at', '<', Date.now() - maxAgeMs)
        .execute();
    },
  };
}
