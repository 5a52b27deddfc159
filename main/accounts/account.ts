/** The types of accounts and keys that other folders use, and their conversion from database rows. */
import type { Refill } from './ledger/refill.ts';
import type { AccountRow, KeyRow } from './store/tables.ts';

/** An authenticated account. */
export interface Account {
  /** Primary key in the database. */
  readonly id: number;
  readonly name: string;
  /** Whether the account may see every job, account and setting. */
  readonly operator: boolean;
  /** Whether every job of the account gets a debug log. */
  readonly debugLog: boolean;
}

/** An account as operators see it. Times are milliseconds since 1970. */
export interface AccountFacts extends Account {
  /** Whether this is the demo account, whose key is public. */
  readonly demo: boolean;
  /** Whether this is the account of the desktop window, which never has a key. */
  readonly tray: boolean;
  /** Present for the account of the hot folders, which never has a key. */
  readonly hotFolders?: true;
  /** Credits left; absent for an unlimited account. */
  readonly balance?: number;
  /** All credits charged so far. */
  readonly spent: number;
  readonly refill?: Refill;
  /** Limit of concurrent jobs; absent if there is none. */
  readonly jobsAtOnce?: number;
  /** Limit of jobs within any 60 seconds; absent if there is none. */
  readonly jobsPerMinute?: number;
  readonly createdAt: number;
}

/** What an operator may change in an account. Absent fields are not changed; `none` removes a refill or limit. */
export interface AccountChange {
  readonly operator?: boolean;
  readonly refill?: Refill | 'none';
  readonly jobsAtOnce?: number | 'none';
  readonly jobsPerMinute?: number | 'none';
  readonly debugLog?: boolean;
}

export interface NewAccount extends AccountChange {
  readonly name: string;
  /** Initial balance. Default: the credits of the refill, or unlimited without a refill. */
  readonly credits?: number | 'unlimited';
}

/** A key of an account, without the key itself, which is not stored. */
export interface KeyFacts {
  readonly id: string;
  /** The purpose of the key. */
  readonly name: string;
  readonly createdAt: number;
  readonly lastUsedAt?: number;
  /** Present if the key is revoked. */
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
