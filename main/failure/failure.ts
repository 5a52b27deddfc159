/**
 * The one error a caller may see. It has two faces: `message` for the caller (what, why, what to change)
 * and `cause` for the log (everything).
 */
import { catalogue, type FailureKind } from './catalogue.ts';
import { hasNoRoom } from './no-room.ts';

export interface FailureDetails {
  /** The whole truth, for the service's log only. */
  readonly cause?: unknown;
  /** Seconds after which a retry makes sense; becomes Retry-After. */
  readonly retryAfter?: number;
}

export class Failure extends Error {
  readonly kind: FailureKind;
  readonly retryAfter: number | undefined;

  constructor(kind: FailureKind, sentence: string, details: FailureDetails = {}) {
    super(sentence, { cause: details.cause });
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

/** Any thrown value as a Failure: what is neither one nor the machine's lack of room is a fault of ours, told by a fixed sentence. */
export function toFailure(thrown: unknown): Failure {
  if (thrown instanceof Failure) return thrown;
  if (hasNoRoom(thrown)) return noRoom(thrown);
  const sentence =
    'The conversion failed because of a fault in the service; its log tells more under this job id.';
  return new Failure('internal', sentence, { cause: thrown });
}

/** The service cannot write or open its files; who tries again may find that it can. */
export function noRoom(cause: unknown): Failure {
  const sentence = 'The service has no room for its files just now. Try again in a moment.';
  return new Failure('unavailable', sentence, { cause, retryAfter: 5 });
}
