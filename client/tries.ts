/** Retries while the service is overloaded: responses with 503 and 429 have no cost and no side effects. */

export interface Trying {
  /** The maximum total of seconds between retries. */
  readonly patience: number;
  readonly signal?: AbortSignal | undefined;
}

/** Returns the first response with another status, or the last response when the time for retries has run out. */
export async function tryAgain(
  ask: () => Promise<Response>,
  { patience, signal }: Trying,
): Promise<Response> {
  let left = patience;
  for (let turn = 0; ; turn += 1) {
    const response = await ask();
    if (response.status !== 503 && response.status !== 429) return response;
    const wait = pause(secondsIn(response.headers.get('retry-after')) ?? 2 ** turn);
    if (wait > left) return response;
    left -= wait;
    await response.body?.cancel();
    await passed(wait, signal);
  }
}

/** Seconds of a Retry-After header, which may be a date (RFC 9110, 10.2.3); undefined without one. */
export function secondsIn(header: string | null): number | undefined {
  if (header === null) return undefined;
  const seconds = /^\s*\d+\s*$/.test(header) ? Number(header) : (Date.parse(header) - Date.now()) / 1000;
  return Number.isNaN(seconds) ? undefined : Math.max(0, Math.ceil(seconds));
}

/** Adds jitter, so that callers with the same Retry-After do not all return together; waits at least one second. */
function pause(seconds: number): number {
  return Math.max(1, seconds) * (1 + Math.random() / 5);
}

function passed(seconds: number, signal: AbortSignal | undefined): Promise<void> {
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
