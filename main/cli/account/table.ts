/** Accounts and keys as an operator reads them, and as a program does. */
import type { AccountFacts, KeyFacts } from '../../accounts/account.ts';
import { aligned } from '../aligned.ts';

export interface Listed {
  readonly account: AccountFacts;
  readonly keys: readonly KeyFacts[];
}

/** A line for each account, with the keys that open it below. */
export function accountTable(listed: readonly Listed[]): string {
  const head = ['NAME', 'BALANCE', 'SPENT', 'REFILL', 'AT ONCE', 'PER MINUTE', 'SPECIAL'];
  const rows = aligned([head, ...listed.map(({ account }) => accountCells(account))]);
  const lines = listed.flatMap(({ keys }, index) => [
    rows[index + 1] ?? '',
    ...keyTable(keys.filter(({ revokedAt }) => revokedAt === undefined)).map((line) => `    ${line}`),
  ]);
  return [rows[0], ...lines].join('\n');
}

export function keyTable(keys: readonly KeyFacts[]): string[] {
  return aligned(
    keys.map(({ id, name, lastUsedAt, revokedAt }) => [
      `key ${id}`,
      name,
      lastUsedAt === undefined ? 'never used' : `last used ${minute(lastUsedAt)}`,
      revokedAt === undefined ? '' : `revoked ${minute(revokedAt)}`,
    ]),
  );
}

/** In the API's spelling. Times are ISO 8601; null: none, and for a balance unlimited. */
export function accountJson({ account, keys }: Listed) {
  return {
    ...{ name: account.name, balance: account.balance ?? null, spent: account.spent },
    ...{ operator: account.operator, demo: account.demo, tray: account.tray },
    debug_log: account.debugLog,
    refill: account.refill ?? null,
    jobs_at_once: account.jobsAtOnce ?? null,
    jobs_per_minute: account.jobsPerMinute ?? null,
    created_at: iso(account.createdAt),
    keys: keys.map((key) => ({
      ...{ id: key.id, name: key.name, created_at: iso(key.createdAt) },
      ...{ last_used_at: iso(key.lastUsedAt), revoked_at: iso(key.revokedAt) },
    })),
  };
}

export function balanceOf({ balance }: AccountFacts): string {
  return balance === undefined ? 'unlimited' : String(balance);
}

function accountCells(account: AccountFacts): string[] {
  const { refill, operator, demo, tray, hotFolders, debugLog } = account;
  const special = [
    ...(operator ? ['operator'] : []),
    ...(demo ? ['demo'] : []),
    ...(tray ? ['the tray, no key'] : []),
    ...(hotFolders ? ['hot folders, no key'] : []),
    ...(debugLog ? ['debug log'] : []),
  ];
  return [
    account.name,
    balanceOf(account),
    String(account.spent),
    refill === undefined ? '-' : `${refill.credits}/${refill.period}`,
    String(account.jobsAtOnce ?? '-'),
    String(account.jobsPerMinute ?? '-'),
    special.join(', '),
  ];
}

/** `2026-11-21 15:23`, local time. */
function minute(time: number): string {
  const date = new Date(time - new Date(time).getTimezoneOffset() * 60_000);
  return date.toISOString().slice(0, 16).replace('T', ' ');
}

function iso(time: number | undefined): string | null {
  return time === undefined ? null : new Date(time).toISOString();
}
