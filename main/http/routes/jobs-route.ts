/** GET /jobs and GET /jobs/<id>: the job records of the caller's account. Operators see all accounts. */
import type { Request, RequestHandler, Response } from 'express';
import { hasReadableLog, type JobRecord, type JobFilter } from '../../accounts/store/job-records.ts';
import { accountOfRequestedJobs } from '../../accounts/jobs.ts';
import { Failure } from '../../failure/failure.ts';
import { integer } from '../../fields/kinds.ts';
import { nearestName } from '../../fields/nearest.ts';
import type { Settings } from '../../settings/table.ts';
import { debugLogLink } from '../security/base-url.ts';
import { accountOf } from '../server/locals.ts';
import type { ServiceDependencies } from './service-dependencies.ts';

type JobsRouteDependencies = Pick<ServiceDependencies, 'accounts' | 'jobs' | 'settings'>;

/** GET /jobs. @throws Failure unknownParameter, valueNotAllowed */
export function jobsRoute(dependencies: JobsRouteDependencies): RequestHandler {
  return async (request, response) => {
    const { jobs, next } = await dependencies.jobs.list(await readQuery(request, response, dependencies));
    response.json({ jobs: jobs.map((job) => toResponse(job, request, dependencies.settings)), next });
  };
}

/** GET /jobs/<id>. @throws Failure notFound, also for a job of another account unless the caller is an operator */
export function jobRoute(dependencies: JobsRouteDependencies): RequestHandler {
  return async (request, response) => {
    const { id, operator } = accountOf(response);
    const job = await dependencies.jobs.find(String(request.params.id), operator ? undefined : id);
    if (job === undefined) throw new Failure('notFound', 'Your account has no job with this id.');
    response.json(toResponse(job, request, dependencies.settings));
  };
}

const parameters = ['limit', 'before', 'account', 'errfmt'];
const limitKind = integer(1, 500);
const defaultLimit = '50';
const jobId = /^[0-9a-z]{26}$/;

async function readQuery(
  request: Request,
  response: Response,
  { accounts }: JobsRouteDependencies,
): Promise<JobFilter> {
  const query = request.query as Readonly<Record<string, string | string[]>>;
  for (const name of Object.keys(query)) if (!parameters.includes(name)) throw unknownParameter(name);
  const { limit = defaultLimit, before, account } = query;
  const parsedLimit = typeof limit === 'string' ? limitKind.read(limit) : undefined;
  if (parsedLimit === undefined) throw notAllowed('limit', limit, limitKind.allowed);
  if (before !== undefined && !(typeof before === 'string' && jobId.test(before)))
    throw notAllowed('before', before, 'a job id, such as the value of next');
  const accountName = account === undefined ? undefined : String(account);
  return {
    account: await accountOfRequestedJobs(accounts, accountOf(response), accountName),
    before,
    limit: parsedLimit,
  };
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

/** Returns the JSON of a job: times in ISO 8601, sizes in bytes, stages in milliseconds. `outcome` is null while the job runs. */
function toResponse(job: JobRecord, request: Request, settings: Settings): object {
  const { id, account, tag, input, input_bytes, output_format, parameters: parametersJson, outcome } = job;
  return {
    id,
    account,
    tag,
    input,
    input_bytes,
    output_format,
    parameters: parametersJson === null ? null : (JSON.parse(parametersJson) as object),
    outcome,
    status: job.status,
    reason: job.reason,
    message: job.message,
    received_at: new Date(job.received_at).toISOString(),
    ended_at: job.ended_at === null ? null : new Date(job.ended_at).toISOString(),
    stages: job.stages === null ? null : (JSON.parse(job.stages) as object),
    output_bytes: job.output_bytes,
    pages: job.pages,
    total_pages: job.total_pages,
    consumed_credits: job.charged,
    debug_log: hasReadableLog(job, settings['debug-log-keep'])
      ? debugLogLink(request, settings, job.debug_log ?? '')
      : null,
  };
}
