/** How long to wait before the service is started anew, and when to give up. Pure. */

/** What the starts so far have come to. */
export interface Past {
  /** Times the service was started anew. */
  readonly restarts: number;
  /** Ends in a row of services that had not been well for long. */
  readonly shortLived: number;
  /** Starts in a row that never came to listen. */
  readonly failed: number;
  /** Whether any start has come to listen. */
  readonly hasListened: boolean;
}

export const nothingYet: Past = { restarts: 0, shortLived: 0, failed: 0, hasListened: false };

/** Starts in a row that may fail. The waits between them sum up to about four minutes. */
export const mostFailed = 10;

const longestWait = 60_000;

/** Milliseconds of listening after which an end has nothing to do with the one before. */
const longEnough = 300_000;

/** After a service ended that had listened for so many milliseconds, undefined if it never did. */
export function afterEnd(past: Past, listened: number | undefined): Past {
  return {
    restarts: past.restarts + 1,
    shortLived: listened !== undefined && listened >= longEnough ? 1 : past.shortLived + 1,
    failed: listened === undefined ? past.failed + 1 : 0,
    hasListened: past.hasListened || listened !== undefined,
  };
}

/** After a service ended because an operator wanted it anew: that is no fault, and whatever was before is settled. */
export function afterOrder({ restarts }: Past): Past {
  return { restarts, shortLived: 0, failed: 0, hasListened: true };
}

/** Milliseconds: none, then 1, 2, 4 ... 60 s. */
export function waitBeforeStart({ shortLived }: Past): number {
  return shortLived <= 1 ? 0 : Math.min(longestWait, 1000 * 2 ** (shortLived - 2));
}
