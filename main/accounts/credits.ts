/** Credits: what an output costs, and what an account has left to spend. It knows jobs only by what they hold. */
import { Failure } from '../failure/failure.ts';
import type { AccountRow, Database } from './tables.ts';

export interface Receipt {
  readonly consumed: number;
  /** Balance less what other running jobs have reserved; absent for an account without a limit. */
  readonly remaining?: number;
}

const bytesPerCredit = 500_000;

/** One credit for each started 500,000 bytes of output. */
export function priceOf(bytes: number): number {
  return Math.max(1, Math.ceil(bytes / bytesPerCredit));
}

/** The balance less what all running jobs but one hold; Infinity for an account without a limit. */
export async function freeCredits(
  database: Database,
  { id, granted, spent }: Pick<AccountRow, 'id' | 'granted' | 'spent'>,
  exceptJob = '',
): Promise<number> {
  if (granted === null) return Infinity;
  return granted - spent - (await heldCredits(database, id, exceptJob));
}

/** What all jobs of the account that are under way hold, but one. */
export async function heldCredits(database: Database, account: number, exceptJob = ''): Promise<number> {
  const { held } = await database
    .selectFrom('jobs')
    .select(({ fn }) => fn.sum<number | null>('reserved').as('held'))
    .where('account_id', '=', account)
    .where('outcome', 'is', null)
    .where('id', '!=', exceptJob)
    .executeTakeFirstOrThrow();
  return held ?? 0;
}

export function noCredits(): Failure {
  return new Failure('noCredits', 'The account has no credits left.');
}

export function tooDear(price: number, free: number): Failure {
  return new Failure(
    'noCredits',
    `The output costs ${price} ${price === 1 ? 'credit' : 'credits'} and the account has ${Math.max(0, free)} left.`,
  );
}
