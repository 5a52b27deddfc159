/**
 * Credits: reserved before a job, settled after it, given back when it fails. It knows accounts by name only.
 * The ledger here lives in memory; callers see the interface.
 */
import { Failure } from '../failure/failure.ts';
import type { AccountEntry } from '../settings/setting-kinds.ts';

export interface Receipt {
  readonly consumed: number;
  /** Balance less what other running jobs have reserved; absent for an account without a limit. */
  readonly remaining?: number;
}

/** One job's claim on the balance. Disposed without having been settled, it gives back what it reserved. */
export interface Charge extends Disposable {
  /** Takes the credits. @throws Failure noCredits when they cost more than is left; nothing is taken then. */
  readonly settle: (credits: number) => Receipt;
  /** Gives settled credits back, because the caller never got the output. */
  readonly refund: () => void;
}

export interface Credits {
  /** Reserves one credit. @throws Failure noCredits */
  readonly reserve: (account: string) => Charge;
}

const bytesPerCredit = 500_000;

/** One credit for each started 500,000 bytes of output. */
export function priceOf(bytes: number): number {
  return Math.max(1, Math.ceil(bytes / bytesPerCredit));
}

interface Purse {
  balance: number;
  reserved: number;
}

export function openCredits(entries: readonly AccountEntry[]): Credits {
  const purses = new Map<string, Purse>();
  for (const { user, credits } of entries) {
    // The last entry of a name counts, as it does for its key.
    if (credits === undefined) purses.delete(user);
    else purses.set(user, { balance: credits, reserved: 0 });
  }
  return {
    reserve(account) {
      const purse = purses.get(account);
      return purse === undefined ? unlimitedCharge() : limitedCharge(purse);
    },
  };
}

function unlimitedCharge(): Charge {
  return { settle: (credits) => ({ consumed: credits }), refund() {}, [Symbol.dispose]() {} };
}

function limitedCharge(purse: Purse): Charge {
  if (purse.balance - purse.reserved < 1) throw new Failure('noCredits', 'The account has no credits left.');
  purse.reserved += 1;
  let reserved = 1;
  let taken = 0;
  const release = () => {
    purse.reserved -= reserved;
    reserved = 0;
  };
  return {
    settle(credits) {
      release();
      const free = purse.balance - purse.reserved;
      if (credits > free)
        throw new Failure(
          'noCredits',
          `The output costs ${credits} credits and the account has ${free} left.`,
        );
      purse.balance -= credits;
      taken = credits;
      return { consumed: credits, remaining: purse.balance - purse.reserved };
    },
    refund() {
      purse.balance += taken;
      taken = 0;
    },
    [Symbol.dispose]: release,
  };
}
