/** POST /console/call/<name>: one call of the console's table, its input and its answer as JSON. */
import { json, type Request, type RequestHandler, type Response } from 'express';
import { Failure } from '../failure/failure.ts';
import { baseUrlFor } from './base-url.ts';
import { bodyFormat } from './form-limits.ts';
import { inviteBody } from './invitation.ts';
import { accountOf } from './locals.ts';
import type { ServiceParts } from './service-parts.ts';

/** @throws Failure bodyFormat, uploadTooLarge, and whatever the call throws */
export function callRoute(parts: Pick<ServiceParts, 'console' | 'settings'>): RequestHandler {
  return async (request, response) => {
    const input = await readInput(request, response);
    const baseUrl = baseUrlFor(request, parts.settings);
    const call = { name: String(request.params.name), input, caller: accountOf(response), baseUrl };
    response.json(await parts.console.call(call));
  };
}

const most = '1mb';
const parse: RequestHandler = json({ limit: most, inflate: false, strict: false });

/** Undefined when nothing was sent. A web form's types are none of them, so no other page can make a browser send one (Fetch, 2.2.2). */
async function readInput(request: Request, response: Response): Promise<unknown> {
  if (request.headers['content-length'] === '0') return undefined;
  if (request.is('json') === false) throw bodyFormat('The content type is not JSON; send application/json.');
  inviteBody(request, response);
  await new Promise<void>((resolve, reject) => {
    void parse(request, response, (problem?: unknown) => {
      if (problem === undefined) resolve();
      else reject(explained(problem));
    });
  });
  return request.body as unknown;
}

/** Without a cause: the parser's own quotes what was sent, which may be a secret. */
function explained(problem: unknown): Failure {
  const status = problem instanceof Error && 'status' in problem ? problem.status : undefined;
  if (status === 413) return new Failure('uploadTooLarge', `The call is larger than ${most.toUpperCase()}.`);
  return bodyFormat('The body cannot be read as JSON.');
}
