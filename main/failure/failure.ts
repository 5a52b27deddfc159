/**
 * `Failure`, the only error that callers see. `message` is for the caller (what failed, why, what to change);
 * `cause` is for the service's log.
 */
import { catalogue, type FailureKind } from './catalogue.ts';
import { isOutOfResources } from './out-of-resources.ts';

interface FailureDetails {
  /** The underlying error, for the service's log only. */
  readonly cause?: unknown;
  /** Seconds after which the caller may try again; sent as Retry-After. */
  readonly retryAfter?: number;
}

export class Failure extends Error {
  readonly kind: FailureKind;
  readonly retryAfter: number | undefined;

  constructor(kind: FailureKind, message: string, details: FailureDetails = {}) {
    super(message, { cause: details.cause });
    this.name = 'Failure';
    this.kind = kind;
    this.retryAfter = details.retryAfter;
  }

  get status(): number {
    return catalogue[this.kind].status;
  }

  get reason(): number {
    return catalogue[this.kind].reason;
  }
}

/**
 * Returns the Failure for any thrown value. Errors about missing disk space or file descriptors become `unavailable`; every other
 * error becomes `internal` with a fixed message, so that no internals leak to the caller.
 */
export function toFailure(thrown: unknown): Failure {
  if (thrown instanceof Failure) return thrown;
  if (isOutOfResources(thrown)) return outOfResources(thrown);
  const message =
    'The conversion failed because of an error in the service. Its log contains the details under this job id.';
  return new Failure('internal', message, { cause: thrown });
}

/** Returns the Failure for a service that cannot write or open its files. A retry may succeed. */
export function outOfResources(cause: unknown): Failure {
  const message = 'The service cannot write or open its files at the moment. Try again in a few seconds.';
  return new Failure('unavailable', message, { cause, retryAfter: 5 });
}

/** Returns the message of anything that was thrown. */
export function messageOf(problem: unknown): string {
  return problem instanceof Error ? problem.message : String(problem);
}

/** One of possibly several problems with a request, which are reported together in one Failure. */
export interface Problem {
  readonly kind: FailureKind;
  readonly message: string;
}

/** Shortens a value for a message: one line, at most 80 characters. */
export function shortened(value: string): string {
  const line = value.replace(/\s+/g, ' ').trim();
  // Counts code points, so that no surrogate pair is split.
  const points = Array.from(line.slice(0, 200));
  return points.length > 80 ? `${points.slice(0, 77).join('')}...` : points.join('');
}
