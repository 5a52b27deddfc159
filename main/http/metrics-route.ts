/** GET /metrics: the metrics as Prometheus reads them, and of the accounts' own only those of whoever asks. */
import type { RequestHandler } from 'express';
import { contentType } from '../metrics/metrics.ts';
import { accountOf } from './locals.ts';
import type { ServiceParts } from './service-parts.ts';

export function metricsRoute({ metrics }: Pick<ServiceParts, 'metrics'>): RequestHandler {
  return async (_request, response) => {
    const text = await metrics.text(accountOf(response));
    response.set('content-type', contentType).end(text);
  };
}
