/** How a failure is told to the operator, in the service's log. */
import pino from 'pino';
import type { Failure } from '../failure/failure.ts';
import { inTexts } from '../log/masking.ts';
import type { ServiceLog } from '../log/service-log.ts';

/** `masked` hides the secrets of what failed wherever they stand. */
export function reportFailure(failure: Failure, log: ServiceLog, masked: (text: string) => string): void {
  const { status, reason, message } = failure;
  const cause = inTexts(plain(failure.cause), masked);
  const facts = { status, reason, ...(cause !== undefined && { cause }) };
  // That all is busy is nobody's fault, and has no cause.
  const isFault = status >= 500 && !(failure.kind === 'unavailable' && cause === undefined);
  if (isFault) log.error({ ...facts, err: cause }, masked(message));
  else log.info(facts, masked(message));
}

/** An Error as the service's log writes it. */
function plain(thrown: unknown): unknown {
  return thrown instanceof Error ? pino.stdSerializers.err(thrown) : thrown;
}
