/** Formats accounts and keys as a table for people and as JSON for programs. */
import type { AccountFacts, KeyFacts } from '../../accounts/account.ts';
import { alignColumns } from '../terminal.ts';

interface ListedAccount {
  readonly account: AccountFacts;
  readonly keys: readonly KeyFacts[];
}

/** Returns one line for each account, followed by its active keys. */
export function accountTable(listed: readonly ListedAccount[]): string {
  const head = ['NAME', 'BALANCE', 'SPENT', 'REFILL', 'CONCURRENT', 'PER MINUTE', 'NOTES'];
  const rows = alignColumns([head, ...listed.map(({ account }) => accountCells(account))]);
  const lines = listed.flatMap(({ keys }, index) => [
    rows[index + 1] ?? '',
    ...keyTable(keys.filter(({ revokedAt }) => revokedAt === undefined)).map((line) => `    ${line}`),
  ]);
  return [rows[0], ...lines].join('\n');
}

export function keyTable(keys: readonly KeyFacts[]): string[] {
  return alignColumns(
    keys.map(({ id, name, lastUsedAt, revokedAt }) => [
      `key ${id}`,
      name,
      lastUsedAt === undefined ? 'never used' : `last used ${localMinute(lastUsedAt)}`,
      revokedAt === undefined ? '' : `revoked ${localMinute(revokedAt)}`,
    ]),
  );
}

/**
 * Returns an account as JSON. Properties have the names of the API, and times are in ISO 8601. A null balance means unlimited; any
 * other null means none.
 */
export function accountJson({ account, keys }: ListedAccount) {
  return {
    name: account.name,
    balance: account.balance ?? null,
    spent: account.spent,
    operator: account.operator,
    demo: account.demo,
    tray: account.tray,
    debug_log: account.debugLog,
    refill: account.refill ?? null,
    jobs_at_once: account.jobsAtOnce ?? null,
    jobs_per_minute: account.jobsPerMinute ?? null,
    created_at: isoTime(account.createdAt),
    keys: keys.map((key) => ({
      id: key.id,
      name: key.name,
      created_at: isoTime(key.createdAt),
      last_used_at: isoTime(key.lastUsedAt),
      revoked_at: isoTime(key.revokedAt),
    })),
  };
}

export function balanceOf({ balance }: AccountFacts): string {
  return balance === undefined ? 'unlimited' : String(balance);
}

function accountCells(account: AccountFacts): string[] {
  const { refill, operator, demo, tray, hotFolders, debugLog } = account;
  const notes = [
    ...(operator ? ['operator'] : []),
    ...(demo ? ['demo'] : []),
    ...(tray ? ['tray (no key)'] : []),
    ...(hotFolders ? ['hot folders (no key)'] : []),
    ...(debugLog ? ['debug log'] : []),
  ];
  return [
    account.name,
    balanceOf(account),
    String(account.spent),
    refill === undefined ? '-' : `${refill.credits}/${refill.period}`,
    String(account.jobsAtOnce ?? '-'),
    String(account.jobsPerMinute ?? '-'),
    notes.join(', '),
  ];
}

/** Returns a time in the form `2026-11-21 15:23`, in the local time zone. */
function localMinute(time: number): string {
  const date = new Date(time - new Date(time).getTimezoneOffset() * 60_000);
  return date.toISOString().slice(0, 16).replace('T', ' ');
}

function isoTime(time: number | undefined): string | null {
  return time === undefined ? null : new Date(time).toISOString();
}
