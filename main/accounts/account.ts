/** An account as the rest of the house knows it, and as its operator sees and sets it. */
import type { Refill } from './refill.ts';
import type { AccountRow, KeyRow } from './tables.ts';

/** Who asks, and what is special about it. */
export interface Account {
  /** In the database. */
  readonly id: number;
  readonly name: string;
  /** Sees every job, account and setting. */
  readonly operator: boolean;
  /** Each of its jobs has a debug log, asked for or not. */
  readonly debugLog: boolean;
}

/** What an operator sees of an account. Times are milliseconds since 1970. */
export interface AccountFacts extends Account {
  /** The account whose key everybody knows. */
  readonly demo: boolean;
  /** The account of the tray's own window, which has no key and gets none. */
  readonly tray: boolean;
  /** The account of the hot folders' jobs, which has no key and gets none; absent for all others. */
  readonly hotFolders?: true;
  /** Credits it has left; absent for an unlimited account. */
  readonly balance?: number;
  /** Credits it was ever charged. */
  readonly spent: number;
  readonly refill?: Refill;
  readonly jobsAtOnce?: number;
  readonly jobsPerMinute?: number;
  readonly createdAt: number;
}

/** What an operator sets of an account; what is absent stays as it is, `none` takes it away. */
export interface AccountChange {
  readonly operator?: boolean;
  readonly refill?: Refill | 'none';
  readonly jobsAtOnce?: number | 'none';
  readonly jobsPerMinute?: number | 'none';
  readonly debugLog?: boolean;
}

export interface NewAccount extends AccountChange {
  readonly name: string;
  /** Its balance; absent: what it is refilled to, and without a refill unlimited. */
  readonly credits?: number | 'unlimited';
}

/** A key of an account; what it opens with is nowhere any more. */
export interface KeyFacts {
  readonly id: string;
  /** What it is for. */
  readonly name: string;
  readonly createdAt: number;
  readonly lastUsedAt?: number;
  /** It opens nothing any more. */
  readonly revokedAt?: number;
}

export function accountOfRow(row: Pick<AccountRow, 'id' | 'name' | 'operator' | 'debug_log'>): Account {
  return { id: row.id, name: row.name, operator: row.operator === 1, debugLog: row.debug_log === 1 };
}

export function factsOfRow(row: AccountRow): AccountFacts {
  const { granted, spent, refill_credits, refill_period, jobs_at_once, jobs_per_minute } = row;
  return {
    ...accountOfRow(row),
    demo: row.demo === 1,
    tray: row.tray === 1,
    ...(row.hot_folders === 1 && { hotFolders: true as const }),
    ...(granted !== null && { balance: granted - spent }),
    spent,
    ...(refill_credits !== null &&
      refill_period !== null && { refill: { credits: refill_credits, period: refill_period } }),
    ...(jobs_at_once !== null && { jobsAtOnce: jobs_at_once }),
    ...(jobs_per_minute !== null && { jobsPerMinute: jobs_per_minute }),
    createdAt: row.created_at,
  };
}

export function factsOfKey(row: KeyRow): KeyFacts {
  return {
    id: row.id,
    name: row.name,
    createdAt: row.created_at,
    ...(row.last_used_at !== null && { lastUsedAt: row.last_used_at }),
    ...(row.revoked_at !== null && { revokedAt: row.revoked_at }),
  };
}
