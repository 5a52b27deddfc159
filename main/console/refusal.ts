/** A Failure as the interface is told it. */
import type { Failure } from '../failure/failure.ts';
import type { Refusal } from './contract.ts';

export function refusalOf({ status, reason, message, retryAfter }: Failure): Refusal {
  return { status, reason, message, ...(retryAfter !== undefined && { retryAfter }) };
}
