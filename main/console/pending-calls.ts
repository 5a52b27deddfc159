/** Calls that are in the table and not built yet. */
import { Failure } from '../failure/failure.ts';
import type { Handlers } from './calls.ts';

type Pending = Omit<Handlers, 'state' | 'jobs' | 'job' | 'log' | 'selfTest'>;

export function pendingCalls(): Pending {
  const pending = () => Promise.reject(new Failure('notFound', 'This call is not built yet.'));
  return {
    ...{ pause: pending, resume: pending, restart: pending },
    ...{ settings: pending, changeSettings: pending },
    ...{ accounts: pending, addAccount: pending, changeAccount: pending, removeAccount: pending },
    ...{ setCredits: pending, keys: pending, addKey: pending, revokeKey: pending },
  };
}
