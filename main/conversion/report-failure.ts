/** Writes failures to the service log. */
import pino from 'pino';
import type { Failure } from '../failure/failure.ts';
import { inTexts } from '../log/masking.ts';
import type { ServiceLog } from '../log/service-log.ts';

/** Logs a failure. `masked` replaces the job's secrets in a text. */
export function reportFailure(failure: Failure, log: ServiceLog, masked: (text: string) => string): void {
  const { status, reason, message } = failure;
  const cause = inTexts(serialized(failure.cause), masked);
  const facts = { status, reason, ...(cause !== undefined && { cause }) };
  // A full queue is not a fault of the service. Such a failure has no cause.
  const isFault = status >= 500 && !(failure.kind === 'unavailable' && cause === undefined);
  if (isFault) log.error({ ...facts, err: cause }, masked(message));
  else log.info(facts, masked(message));
}

/** Returns an Error as the service log writes it. */
function serialized(thrown: unknown): unknown {
  return thrown instanceof Error ? pino.stdSerializers.err(thrown) : thrown;
}

/** The reason for ending a job whose caller hung up. Only the logs show its message. */
export class CallerGone extends Error {
  constructor(message = 'The caller hung up.') {
    super(message);
  }
}
