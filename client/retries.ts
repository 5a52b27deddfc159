/**
 * Retries requests that the service refuses with 503 (busy or stopping) or 429 (too many requests). Such responses cost no credits
 * and have no side effects.
 */

export interface RetryOptions {
  /** The maximum total time to wait before retries, in seconds. */
  readonly patience: number;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Returns the first response whose status is neither 503 nor 429, or the last response if the next wait would exceed `patience`.
 * @throws the reason of an aborted signal
 */
export async function withRetries(
  send: () => Promise<Response>,
  { patience, signal }: RetryOptions,
): Promise<Response> {
  let secondsLeft = patience;
  for (let attempt = 0; ; attempt += 1) {
    const response = await send();
    if (response.status !== 503 && response.status !== 429) return response;
    const wait = withJitter(secondsIn(response.headers.get('retry-after')) ?? 2 ** attempt);
    if (wait > secondsLeft) return response;
    secondsLeft -= wait;
    await response.body?.cancel();
    await sleep(wait, signal);
  }
}

/**
 * Returns the seconds to wait according to a Retry-After header, which may contain a date (RFC 9110, 10.2.3). Undefined if the
 * header is absent or invalid.
 */
export function secondsIn(header: string | null): number | undefined {
  if (header === null) return undefined;
  const seconds = /^\s*\d+\s*$/.test(header) ? Number(header) : (Date.parse(header) - Date.now()) / 1000;
  return Number.isNaN(seconds) ? undefined : Math.max(0, Math.ceil(seconds));
}

/**
 * Returns at least one second, plus up to 20 % jitter, so that clients with the same Retry-After do not all retry at the same time.
 */
function withJitter(seconds: number): number {
  return Math.max(1, seconds) * (1 + Math.random() / 5);
}

/** Waits for the given seconds. @throws the reason of an aborted signal */
export function sleep(seconds: number, signal: AbortSignal | undefined): Promise<void> {
  signal?.throwIfAborted();
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, seconds * 1000);
    signal?.addEventListener('abort', stop, { once: true });
  });
}
