/**
 * Limits the concurrent requests of an account whose responses are large or expensive: a list of jobs has up to 8 MB. A response counts
 * until it has been sent, so that a slow reader cannot make the service hold many of them. Further requests wait.
 */
import type { RequestHandler } from 'express';
import { ConcurrencyLimiter } from '../../async/concurrency-limiter.ts';
import { untilSent } from '../response/respond.ts';
import { accountOf } from '../server/locals.ts';

/** Returns a function that limits a handler. All handlers that one such function returns share the limit. */
export function limitPerAccount(maxConcurrent: number): (handler: RequestHandler) => RequestHandler {
  const limiter = new ConcurrencyLimiter<number>(maxConcurrent);
  return (handler) => (request, response, next) =>
    limiter.run(accountOf(response).id, () =>
      untilSent(response, async () => {
        await handler(request, response, next);
      }),
    );
}
