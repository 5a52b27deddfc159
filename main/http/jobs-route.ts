/** GET /jobs and GET /jobs/<id>: the record of jobs, of the own account; an operator sees all. */
import type { Request, RequestHandler, Response } from 'express';
import { hasReadableLog, type JobRecord, type Wanted } from '../accounts/job-records.ts';
import { whoseJobs } from '../accounts/whose-jobs.ts';
import { Failure } from '../failure/failure.ts';
import { integer } from '../fields/kinds.ts';
import { nearest } from '../fields/nearest.ts';
import type { Settings } from '../settings/table.ts';
import { debugLogLink } from './base-url.ts';
import { accountOf } from './locals.ts';
import type { ServiceParts } from './service-parts.ts';

type Parts = Pick<ServiceParts, 'accounts' | 'jobs' | 'settings'>;

/** @throws Failure unknownParameter, valueNotAllowed */
export function jobsRoute(parts: Parts): RequestHandler {
  return async (request, response) => {
    const { jobs, next } = await parts.jobs.list(await wantedIn(request, response, parts));
    response.json({ jobs: jobs.map((job) => shown(job, request, parts.settings)), next });
  };
}

/** @throws Failure notFound, for another account's job too */
export function jobRoute(parts: Parts): RequestHandler {
  return async (request, response) => {
    const { id, operator } = accountOf(response);
    const job = await parts.jobs.find(String(request.params.id), operator ? undefined : id);
    if (job === undefined)
      throw new Failure('notFound', 'There is no job of this id in the record of your account.');
    response.json(shown(job, request, parts.settings));
  };
}

const parameters = ['limit', 'before', 'account', 'errfmt'];
const limits = integer(1, 500);
const usualLimit = '50';
const jobId = /^[0-9a-z]{26}$/;

async function wantedIn(request: Request, response: Response, { accounts }: Parts): Promise<Wanted> {
  const query = request.query as Readonly<Record<string, string | string[]>>;
  for (const name of Object.keys(query)) if (!parameters.includes(name)) throw unknownParameter(name);
  const { limit = usualLimit, before, account } = query;
  const read = typeof limit === 'string' ? limits.read(limit) : undefined;
  if (read === undefined) throw notAllowed('limit', limit, limits.allowed);
  if (before !== undefined && !(typeof before === 'string' && jobId.test(before)))
    throw notAllowed('before', before, 'the id of a job, as next has it');
  const named = account === undefined ? undefined : String(account);
  return { account: await whoseJobs(accounts, accountOf(response), named), before, limit: read };
}

function notAllowed(name: string, value: string | string[], allowed: string): Failure {
  const written = String(value).slice(0, 100);
  return new Failure(
    'valueNotAllowed',
    `The value '${written}' of ${name} is not allowed; allowed: ${allowed}.`,
  );
}

function unknownParameter(name: string): Failure {
  const meant = nearest(name, parameters);
  const hint = meant === undefined ? '.' : `; did you mean ${meant}?`;
  return new Failure('unknownParameter', `'${name.slice(0, 100)}' is not a known parameter${hint}`);
}

/** A job as it is told: times in ISO 8601, sizes in bytes, stages in milliseconds. `outcome` is null while it is under way. */
function shown(job: JobRecord, request: Request, settings: Settings): object {
  const { id, account, tag, input, input_bytes, output_format, parameters: given, outcome } = job;
  return {
    ...{ id, account, tag, input, input_bytes, output_format },
    parameters: given === null ? null : (JSON.parse(given) as object),
    outcome,
    ...{ status: job.status, reason: job.reason, message: job.message },
    received_at: new Date(job.received_at).toISOString(),
    ended_at: job.ended_at === null ? null : new Date(job.ended_at).toISOString(),
    stages: job.stages === null ? null : (JSON.parse(job.stages) as object),
    ...{ output_bytes: job.output_bytes, pages: job.pages, total_pages: job.total_pages },
    consumed_credits: job.charged,
    debug_log: hasReadableLog(job, settings['debug-log-keep'])
      ? debugLogLink(request, settings, job.debug_log ?? '')
      : null,
  };
}
