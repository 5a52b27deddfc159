/** Decides whether the service accepts a job, before its form is read. HTTP, the console and hot folders call this. */
import type { ConversionDependencies } from './convert.ts';
import { Failure } from '../failure/failure.ts';
import type { Form } from '../job/read-fields.ts';

export interface AdmissionDependencies extends Pick<ConversionDependencies, 'inputQueue' | 'engine'> {
  readonly pausing: Pick<Pause, 'refusal'>;
}

/** Refuses a job that the queues would refuse after the upload, and every job while the service is paused. @throws Failure unavailable */
export function refuseBeforehand(
  account: string,
  { pausing, inputQueue, engine }: AdmissionDependencies,
): void {
  const refusal = pausing.refusal() ?? inputQueue.refusalOf(account) ?? engine.refusalOf(account);
  if (refusal !== undefined) throw refusal;
}

// The operator's pause. It is not saved: a restarted service accepts jobs.

export interface Pause {
  /** Returns false when the service was already paused. */
  readonly begin: () => boolean;
  /** Returns false when the service was not paused. */
  readonly end: () => boolean;
  /** Returns why no job is accepted, or undefined. */
  readonly reason: () => string | undefined;
  /** Returns the answer to a new job, or undefined. */
  readonly refusal: () => Failure | undefined;
}

/** A guess, because the length of a pause is unknown. */
const retryAfterSeconds = 30;

export function openPause(): Pause {
  let paused = false;
  const set = (pause: boolean) => {
    const changed = paused !== pause;
    paused = pause;
    return changed;
  };
  return {
    begin: () => set(true),
    end: () => set(false),
    reason: () => (paused ? 'paused by the operator' : undefined),
    refusal: () =>
      paused
        ? new Failure('unavailable', 'The service is paused by the operator. Try again later.', {
            retryAfter: retryAfterSeconds,
          })
        : undefined,
  };
}

/** A form, or the part of it that was read. */
export interface Received {
  readonly form: Form;
  /** Why the form is incomplete: Failure bodyFormat, uploadTooLarge, requestTimeout, valueNotAllowed or unavailable. */
  readonly problem?: Error;
}
