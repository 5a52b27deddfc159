/**
 * The expressions that read the epochs of the keys with which requests and outputs are encrypted. An index contains each, and a query
 * uses the index only if it has the same expression.
 */
import { sql, type Kysely, type RawBuilder } from 'kysely';
import { epochDigits } from '../../encryption/keyring.ts';
import { isPostgres } from './dialect.ts';

const digits = sql.lit(epochDigits);

/** An encrypted request begins with the name of its key, and that with the epoch. */
export function requestEpoch(): RawBuilder<string> {
  return sql<string>`substr(request, 1, ${digits})`;
}

export function outputEpoch(database: Pick<Kysely<never>, 'getExecutor'>): RawBuilder<string> {
  // PostgreSQL needs the parentheses.
  const key = isPostgres(database)
    ? sql`((output_headers::json) ->> 'key')`
    : sql`(output_headers ->> 'key')`;
  return sql<string>`substr(${key}, 1, ${digits})`;
}
