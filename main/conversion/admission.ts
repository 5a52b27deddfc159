/** Decides whether the service accepts a job, before the job's form is read. Used by HTTP, the console and hot folders. */
import type { ConversionDependencies } from './convert.ts';
import { Failure } from '../failure/failure.ts';
import type { Form } from '../job/read-fields.ts';

export interface AdmissionDependencies extends Pick<ConversionDependencies, 'inputQueue' | 'engine'> {
  readonly pause: Pick<Pause, 'refusal'>;
}

/**
 * Refuses a job that the queues would refuse after the upload, and every job while the service is paused.
 * @throws Failure unavailable
 */
export function refuseIfFullOrPaused(
  account: string,
  { pause, inputQueue, engine }: AdmissionDependencies,
): void {
  const refusal = pause.refusal() ?? inputQueue.refusalOf(account) ?? engine.refusalOf(account);
  if (refusal !== undefined) throw refusal;
}

// Pauses the service on behalf of the operator. The pause is not saved: a restarted service accepts jobs.

export interface Pause {
  /** Pauses the service. Returns false if it was already paused. */
  readonly begin: () => boolean;
  /** Resumes the service. Returns false if it was not paused. */
  readonly end: () => boolean;
  /** Returns why no job is accepted, or undefined if the service is not paused. */
  readonly reason: () => string | undefined;
  /** Returns the failure for a new job, or undefined if the service is not paused. */
  readonly refusal: () => Failure | undefined;
}

/** A guess, because the length of a pause is unknown. */
const retryAfterSeconds = 30;

export function openPause(): Pause {
  let paused = false;
  const setPaused = (pause: boolean) => {
    const changed = paused !== pause;
    paused = pause;
    return changed;
  };
  return {
    begin: () => setPaused(true),
    end: () => setPaused(false),
    reason: () => (paused ? 'paused by the operator' : undefined),
    refusal: () =>
      paused
        ? new Failure('unavailable', 'The service is paused by the operator. Try again later.', {
            retryAfter: retryAfterSeconds,
          })
        : undefined,
  };
}

/** A received form, which may be incomplete. */
export interface ReceivedForm {
  readonly form: Form;
  /** Why the form is incomplete: Failure bodyFormat, uploadTooLarge, requestTimeout, valueNotAllowed or unavailable. */
  readonly problem?: Error;
}
