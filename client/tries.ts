/** Trying again when the service has too much to do: 503 and 429 cost nothing and leave nothing. */

export interface Trying {
  /** Seconds that may be spent waiting between tries, altogether. */
  readonly patience: number;
  readonly signal?: AbortSignal | undefined;
}

/** The first answer that is none of the two, or the one after which patience has run out. */
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

/** Seconds of a Retry-After, which may be a date (RFC 9110, 10.2.3); undefined without one. */
export function secondsIn(header: string | null): number | undefined {
  if (header === null) return undefined;
  const seconds = /^\s*\d+\s*$/.test(header) ? Number(header) : (Date.parse(header) - Date.now()) / 1000;
  return Number.isNaN(seconds) ? undefined : Math.max(0, Math.ceil(seconds));
}

/** Callers who were told the same time must not all come back at once; nor may anyone come back without end. */
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
