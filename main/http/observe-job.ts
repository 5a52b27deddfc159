/** A job is counted when its answer is over, by what the caller was told, or would have been: so the numbers are those of the answers. */
import type { Response } from 'express';
import { accountOf, brokenOffOf, debugLogOf } from './locals.ts';
import type { ServiceParts } from './service-parts.ts';

/** To be called when the request arrives. */
export function observeJob(
  response: Response,
  { metrics, prefixes }: Pick<ServiceParts, 'metrics' | 'prefixes'>,
): void {
  const began = performance.now();
  const said = (name: string) => Number(response.getHeader(`x-${prefixes[0] ?? 'service'}-${name}`) ?? 0);
  response.once('close', () => {
    const reason = brokenOffOf(response)?.reason ?? said('reason-code');
    const outcome = outcomeOf(response, reason);
    metrics.jobEnded({
      account: accountOf(response).name,
      outcome,
      reason: outcome === 'failed' ? reason : 0,
      took: performance.now() - began,
      stages: debugLogOf(response)?.durations ?? {},
      credits: outcome === 'converted' ? said('consumed-credits') : 0,
    });
  });
}

function outcomeOf(response: Response, reason: number): 'caller_gone' | 'converted' | 'failed' {
  // Whoever hung up was told nothing, whatever had been prepared to be said.
  if (!response.writableFinished && brokenOffOf(response) === undefined) return 'caller_gone';
  return reason === 0 ? 'converted' : 'failed';
}
