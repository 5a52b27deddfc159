/** GET /self-test: the service tests itself, for operators; a table for people, JSON for programs. */
import type { RequestHandler } from 'express';
import { Failure } from '../failure/failure.ts';
import { reportText } from '../self-test/report-text.ts';
import { accountOf } from './locals.ts';
import type { ServiceParts } from './service-parts.ts';

/** 503 when a check has failed, so that a program need not read on. @throws Failure operatorOnly */
export function selfTestRoute({ selfTest }: Pick<ServiceParts, 'selfTest'>): RequestHandler {
  return async (request, response) => {
    if (!accountOf(response).operator)
      throw new Failure('operatorOnly', 'The self-test is for accounts of operators; this one is none.');
    const report = await selfTest();
    response.status(report.passed ? 200 : 503).vary('accept');
    if (request.accepts(['text', 'json']) === 'json') response.json(report);
    else response.type('text/plain').send(reportText(report));
  };
}
