/** An error response. */
import { factsOf } from './conversion.ts';
import { secondsIn } from './retries.ts';

export interface ErrorFacts {
  /** HTTP status. */
  readonly status: number;
  /** The reason code (docs/errors.md); undefined if the response comes from a proxy. */
  readonly reason: number | undefined;
  /** Seconds after which a retry is useful. */
  readonly retryAfter: number | undefined;
  /** The id of the job, if a conversion was started. */
  readonly jobId: string | undefined;
  /** The URL of its debug log, if debug_log was set. */
  readonly debugLog: string | undefined;
}

/** The message contains the problem, its reason and its remedy. Connection failures are the errors of `fetch` itself. */
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

/** Reads the body of an error response. */
export async function errorOf(response: Response): Promise<PlatenError> {
  const { status, headers } = response;
  const { reason, message } = readBody(await response.text());
  const { jobId, debugLog } = factsOf(headers) as { jobId?: string; debugLog?: string };
  const facts = { status, reason, retryAfter: secondsIn(headers.get('retry-after')), jobId, debugLog };
  return new PlatenError(message ?? `The response is ${status} ${response.statusText}`.trim(), facts);
}

/** Parses the JSON of the service. Returns an empty object for other bodies, such as the HTML of a proxy. */
function readBody(text: string): { reason?: number; message?: string } {
  try {
    const { reason_code: reason, message } = JSON.parse(text) as Record<string, unknown>;
    return typeof reason === 'number' && typeof message === 'string' ? { reason, message } : {};
  } catch {
    return {};
  }
}
