/** Credits: the price of an output, and what an account can still spend. */
import { Failure } from '../../failure/failure.ts';
import type { AccountRow, Database } from '../store/tables.ts';

export interface Receipt {
  /** The price of the output in credits. */
  readonly consumed: number;
  /** The balance minus the credits that other running jobs hold; absent for an unlimited account. */
  readonly remaining?: number;
}

const bytesPerCredit = 500_000;

/** Returns the price of an output: one credit for each started 500,000 bytes, at least one credit. */
export function priceOf(bytes: number): number {
  return Math.max(1, Math.ceil(bytes / bytesPerCredit));
}

/** Returns the balance minus the credits that all running jobs except `exceptJob` hold; Infinity for an unlimited account. */
export async function freeCredits(
  database: Database,
  { id, granted, spent }: Pick<AccountRow, 'id' | 'granted' | 'spent'>,
  exceptJob = '',
): Promise<number> {
  if (granted === null) return Infinity;
  return granted - spent - (await heldCredits(database, id, exceptJob));
}

/** Returns the credits that all running jobs of the account except `exceptJob` hold. */
export async function heldCredits(database: Database, account: number, exceptJob = ''): Promise<number> {
  const { held } = await database
    .selectFrom('jobs')
    .select(({ fn }) => fn.sum<number | null>('reserved').as('held'))
    .where('account_id', '=', account)
    .where('outcome', 'is', null)
    .where('started_at', 'is not', null)
    .where('id', '!=', exceptJob)
    .executeTakeFirstOrThrow();
  return held ?? 0;
}

export function noCredits(): Failure {
  return new Failure('noCredits', 'The account has no credits left.');
}

export function tooExpensive(price: number, free: number): Failure {
  return new Failure(
    'noCredits',
    `The output costs ${price} ${price === 1 ? 'credit' : 'credits'} and the account has ${Math.max(0, free)} left.`,
  );
}
