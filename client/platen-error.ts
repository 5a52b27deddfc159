/** The error that the client throws for an error response. */
import { headerValuesOf } from './conversion.ts';
import { secondsIn } from './retries.ts';

export interface ErrorDetails {
  /** HTTP status. */
  readonly status: number;
  /** The reason code (docs/errors.md); undefined if the body is not an error of the service, for example if a proxy responded. */
  readonly reason: number | undefined;
  /** Seconds to wait before a retry, from the Retry-After header; undefined without this header. */
  readonly retryAfter: number | undefined;
  /** The id of the job, if a conversion was started. */
  readonly jobId: string | undefined;
  /** The URL of the job's debug log, if debug_log was set. */
  readonly debugLog: string | undefined;
}

/**
 * An error response. `message` says what failed, why, and what to change. If there is no response, methods throw the error of
 * `fetch` instead.
 */
export class PlatenError extends Error implements ErrorDetails {
  override readonly name = 'PlatenError';
  readonly status: number;
  readonly reason: number | undefined;
  readonly retryAfter: number | undefined;
  readonly jobId: string | undefined;
  readonly debugLog: string | undefined;

  constructor(message: string, { status, reason, retryAfter, jobId, debugLog }: ErrorDetails) {
    super(message);
    this.status = status;
    this.reason = reason;
    this.retryAfter = retryAfter;
    this.jobId = jobId;
    this.debugLog = debugLog;
  }
}

/** Reads the body of an error response, and returns the error to throw. */
export async function errorOf(response: Response): Promise<PlatenError> {
  const { status, headers } = response;
  const { reason, message } = readBody(await response.text());
  const { jobId, debugLog } = headerValuesOf(headers) as { jobId?: string; debugLog?: string };
  const facts = { status, reason, retryAfter: secondsIn(headers.get('retry-after')), jobId, debugLog };
  return new PlatenError(message ?? `The response is ${status} ${response.statusText}`.trim(), facts);
}

/** Parses the JSON error of the service. Returns an empty object for any other body, such as the HTML page of a proxy. */
function readBody(text: string): { reason?: number; message?: string } {
  try {
    const { reason_code: reason, message } = JSON.parse(text) as Record<string, unknown>;
    return typeof reason === 'number' && typeof message === 'string' ? { reason, message } : {};
  } catch {
    return {};
  }
}
