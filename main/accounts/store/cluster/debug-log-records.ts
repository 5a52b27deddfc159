/** Debug logs in a database that several nodes share, so that each node can show them. */
import { gzipSync } from 'node:zlib';
import type { Store } from '../store.ts';

/** The events of a log that has not been stored. Nodes of an older version read it as an empty log. */
const noEvents = gzipSync('');

/**
 * What the store of debug logs (log/debug-logs.ts) needs of a database. Ids are unguessable; `events` is compressed with gzip. Logs are
 * read on connections of their own, because reading them needs no credentials.
 */
export function openDebugLogRecords({ database, publicReads }: Pick<Store, 'database' | 'publicReads'>) {
  return {
    async announce(id: string): Promise<void> {
      await database
        .insertInto('debug_logs')
        .values({ id, events: noEvents, created_at: Date.now() })
        .onConflict((conflict) => conflict.column('id').doNothing())
        .execute();
    },
    async store(id: string, events: Buffer): Promise<void> {
      await database
        .insertInto('debug_logs')
        .values({ id, events, created_at: Date.now() })
        .onConflict((conflict) => conflict.column('id').doUpdateSet({ events }))
        .execute();
    },
    /** Returns undefined for a log that is unknown or older than `maxAgeMs`, and 'announced' for one that has not been stored. */
    async read(id: string, maxAgeMs: number): Promise<Buffer | 'announced' | undefined> {
      const row = await publicReads
        .selectFrom('debug_logs')
        .select('events')
        .where('id', '=', id)
        .where('created_at', '>', Date.now() - maxAgeMs)
        .executeTakeFirst();
      return row?.events.equals(noEvents) === true ? 'announced' : row?.events;
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
