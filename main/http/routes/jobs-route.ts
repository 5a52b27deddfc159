/** GET /jobs and GET /jobs/<id>: the job records of the caller's account. Operators see all accounts. */
import type { Request, RequestHandler, Response } from 'express';
import { jobJson, type JobJsonOptions } from '../../accounts/job-json.ts';
import { jobStates, type JobFilter, type JobRecord } from '../../accounts/store/job-records.ts';
import { accountOfRequestedJobs } from '../../accounts/jobs.ts';
import { yieldingToEventLoop } from '../../async/yielding.ts';
import { Failure } from '../../failure/failure.ts';
import { integer, oneOf } from '../../fields/kinds.ts';
import { nearestName } from '../../fields/nearest.ts';
import type { Settings } from '../../settings/table.ts';
import { baseUrlFor } from '../security/base-url.ts';
import { accountOf } from '../server/locals.ts';
import type { ServiceDependencies } from './service-dependencies.ts';

type JobsRouteDependencies = Pick<ServiceDependencies, 'accounts' | 'jobs' | 'settings'>;

/** GET /jobs. @throws Failure unknownParameter, valueNotAllowed */
export function jobsRoute(dependencies: JobsRouteDependencies): RequestHandler {
  return async (request, response) => {
    const { jobs, next } = await dependencies.jobs.list(await readQuery(request, response, dependencies));
    const options = jsonOptions(request, dependencies.settings);
    const listed: string[] = [];
    // The parameters of 500 jobs are up to 8 MB.
    for await (const job of yieldingToEventLoop(jobs)) listed.push(JSON.stringify(jobJson(job, options)));
    response.type('json').send(`{"jobs":[${listed.join(',')}],"next":${JSON.stringify(next)}}`);
  };
}

/** GET /jobs/<id>. @throws Failure notFound, also for a job of another account unless the caller is an operator */
export function jobRoute(dependencies: JobsRouteDependencies): RequestHandler {
  return async (request, response) => {
    const job = await findRequestedJob(request, response, dependencies);
    response.json(jobJson(job, jsonOptions(request, dependencies.settings)));
  };
}

/**
 * Returns the job in the path. @throws Failure notFound, also for a job of another account unless the caller is an operator
 */
export async function findRequestedJob(
  request: Request,
  response: Response,
  { jobs }: Pick<ServiceDependencies, 'jobs'>,
): Promise<JobRecord> {
  const { id, operator } = accountOf(response);
  const job = await jobs.find(String(request.params.id), operator ? undefined : id);
  if (job === undefined) throw new Failure('notFound', 'Your account has no job with this id.');
  return job;
}

const parameters = ['limit', 'before', 'account', 'state', 'batch', 'errfmt'];
const limitKind = integer(1, 500);
const defaultLimit = '50';
const stateKind = oneOf(jobStates);
const jobId = /^[0-9a-z]{26}$/;

async function readQuery(
  request: Request,
  response: Response,
  { accounts }: JobsRouteDependencies,
): Promise<JobFilter> {
  const query = request.query as Readonly<Record<string, string | string[]>>;
  for (const name of Object.keys(query)) if (!parameters.includes(name)) throw unknownParameter(name);
  const { limit = defaultLimit, before, account, state, batch } = query;
  const parsedLimit = typeof limit === 'string' ? limitKind.read(limit) : undefined;
  if (parsedLimit === undefined) throw notAllowed('limit', limit, limitKind.allowed);
  if (before !== undefined && !(typeof before === 'string' && jobId.test(before)))
    throw notAllowed('before', before, 'a job id, such as the value of next');
  const parsedState = typeof state === 'string' ? stateKind.read(state) : undefined;
  if (state !== undefined && parsedState === undefined) throw notAllowed('state', state, stateKind.allowed);
  if (batch !== undefined && !(typeof batch === 'string' && jobId.test(batch)))
    throw notAllowed('batch', batch, 'the id of a batch');
  const accountName = account === undefined ? undefined : String(account);
  return {
    account: await accountOfRequestedJobs(accounts, accountOf(response), accountName),
    before,
    state: parsedState,
    batch,
    limit: parsedLimit,
  };
}

function jsonOptions(request: Request, settings: Settings): JobJsonOptions {
  return { baseUrl: baseUrlFor(request, settings), debugLogKeepMs: settings['debug-log-keep'] };
}

function notAllowed(name: string, value: string | string[], allowed: string): Failure {
  const shownValue = String(value).slice(0, 100);
  return new Failure(
    'valueNotAllowed',
    `The value '${shownValue}' of ${name} is not allowed; allowed: ${allowed}.`,
  );
}

function unknownParameter(name: string): Failure {
  const suggestion = nearestName(name, parameters);
  const hint = suggestion === undefined ? '.' : `; did you mean ${suggestion}?`;
  return new Failure('unknownParameter', `'${name.slice(0, 100)}' is not a known parameter${hint}`);
}
