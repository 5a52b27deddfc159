/** Whether the operator lets no new jobs in for a while. It is kept nowhere: a service that is started anew takes jobs. */
import { Failure } from './failure/failure.ts';

export interface Pausing {
  /** False when it was so already. */
  readonly begin: () => boolean;
  /** False when it was so already. */
  readonly end: () => boolean;
  /** Why no job can be taken, or undefined. */
  readonly reason: () => string | undefined;
  /** The answer to whoever brings a new job, or undefined. */
  readonly refusal: () => Failure | undefined;
}

/** Seconds: nobody knows how long it lasts. */
const retryAfter = 30;

export function openPausing(): Pausing {
  let paused = false;
  const set = (wanted: boolean) => {
    const changes = paused !== wanted;
    paused = wanted;
    return changes;
  };
  return {
    begin: () => set(true),
    end: () => set(false),
    reason: () => (paused ? 'paused by the operator' : undefined),
    refusal: () =>
      paused
        ? new Failure('unavailable', 'The service is paused by the operator. Try again later.', {
            retryAfter,
          })
        : undefined,
  };
}
