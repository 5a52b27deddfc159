/** An answer that is no document. */
import { factsOf } from './conversion.ts';
import { secondsIn } from './tries.ts';

export interface ErrorFacts {
  /** HTTP status. */
  readonly status: number;
  /** What exactly went wrong (docs/errors.md); undefined when something before the service answered. */
  readonly reason: number | undefined;
  /** Seconds after which it makes sense to try again. */
  readonly retryAfter: number | undefined;
  /** Of a conversion that was begun. */
  readonly jobId: string | undefined;
  /** Address of its debug log, when debug_log was asked for. */
  readonly debugLog: string | undefined;
}

/** The message says what, why and what to change. Connections that fail are the errors of `fetch` itself. */
export class PlatenError extends Error implements ErrorFacts {
  override readonly name = 'PlatenError';
  readonly status: number;
  readonly reason: number | undefined;
  readonly retryAfter: number | undefined;
  readonly jobId: string | undefined;
  readonly debugLog: string | undefined;

  constructor(message: string, { status, reason, retryAfter, jobId, debugLog }: ErrorFacts) {
    super(message);
    this.status = status;
    this.reason = reason;
    this.retryAfter = retryAfter;
    this.jobId = jobId;
    this.debugLog = debugLog;
  }
}

/** Reads the answer to its end. */
export async function errorOf(response: Response): Promise<PlatenError> {
  const { status, headers } = response;
  const { reason, message } = readBody(await response.text());
  const { jobId, debugLog } = factsOf(headers) as { jobId?: string; debugLog?: string };
  const facts = { status, reason, retryAfter: secondsIn(headers.get('retry-after')), jobId, debugLog };
  return new PlatenError(message ?? `The answer is ${status} ${response.statusText}`.trim(), facts);
}

/** The JSON the service answers; a proxy before it answers pages, which nobody wants in a message. */
function readBody(text: string): { reason?: number; message?: string } {
  try {
    const { reason_code: reason, message } = JSON.parse(text) as Record<string, unknown>;
    return typeof reason === 'number' && typeof message === 'string' ? { reason, message } : {};
  } catch {
    return {};
  }
}
