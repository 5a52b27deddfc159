/** POST /jobs, GET /jobs/<id>/output and DELETE /jobs/<id>: asynchronous jobs (docs/asynchronous-jobs.md). */
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Request, RequestHandler, Response } from 'express';
import type { Account } from '../../accounts/account.ts';
import { hasReadableLog, type JobRecord } from '../../accounts/store/job-records.ts';
import { isUnavailable } from '../../accounts/store/unavailable.ts';
import { ConcurrencyLimiter } from '../../async/concurrency-limiter.ts';
import { archiveName } from '../../asynchronous-jobs/batch/batch-archive.ts';
import type { StoredJobOutput } from '../../asynchronous-jobs/stored-output.ts';
import { openJobFolder } from '../../conversion/job-folder.ts';
import { Failure, isOutOfResources, shortened } from '../../failure/failure.ts';
import { newJobId } from '../../job/job.ts';
import { sendFailure } from '../response/fail.ts';
import {
  disconnectSignal,
  dispositionOf,
  reprDigestOf,
  setOutputHeaders,
  setNoteHeaders,
  setServiceHeaders,
} from '../response/respond.ts';
import { baseUrlFor, debugLogLink } from '../security/base-url.ts';
import { accountOf, setJob, unsentFailureOf } from '../server/locals.ts';
import { findRequestedJob } from './jobs-route.ts';
import type { ServiceDependencies } from './service-dependencies.ts';
import { admitUpload } from './upload-admission.ts';

/** Maximum number of concurrent checks of one account before the body is read. Each counts the waiting jobs. */
const maxConcurrentChecks = 4;

/**
 * POST /jobs: submits an asynchronous job. Its form is validated immediately.
 * @throws Failure of the synchronous call for an invalid form; see submitJob
 */
export function submitRoute(dependencies: ServiceDependencies): RequestHandler {
  const checks = new ConcurrencyLimiter<number>(maxConcurrentChecks);
  return async (request, response) => {
    const idempotencyKey = readIdempotencyKey(request);
    const account = accountOf(response);
    const callerDisconnected = disconnectSignal(response);
    await checks.run(account.id, async () => {
      if (!callerDisconnected.aborted) await refuseSubmission(dependencies, account, idempotencyKey);
    });
    const id = newJobId();
    using admission = admitUpload(request, response, dependencies);
    // Another folder than that of the running job, which may begin before this request ends.
    await using folder = openJobFolder(join(dependencies.workFolder, `${id}-request`));
    const { form, problem } = await admission.receive(folder);
    if (callerDisconnected.aborted) return;
    if (problem !== undefined) throw unsentFailureOf(response) ?? problem;
    const job = await dependencies.asynchronousJobs.submit({
      id,
      account,
      form,
      baseUrl: baseUrlFor(request, dependencies.settings),
      idempotencyKey,
    });
    setJob(response, job);
    setServiceHeaders(response, dependencies.prefixes, { 'job-id': job });
    response.status(202).location(`/jobs/${job}`).json({ id: job, state: 'queued' });
  };
}

/** Refuses a submission before its body is read. @throws Failure unavailable, noCredits, tooManyRequests */
async function refuseSubmission(
  { pause, isStopping, asynchronousJobs }: ServiceDependencies,
  account: Account,
  idempotencyKey: string | undefined,
): Promise<void> {
  const refusal = pause.refusal();
  if (refusal !== undefined) throw refusal;
  if (isStopping()) throw new Failure('unavailable', 'The service is shutting down.', { retryAfter: 10 });
  await asynchronousJobs.refuseEarly(account, idempotencyKey);
}

/** @throws Failure valueNotAllowed */
function readIdempotencyKey({ headers }: Request): string | undefined {
  const key = headers['idempotency-key'];
  if (key === undefined) return undefined;
  if (typeof key === 'string' && /^[\x21-\x7e]{1,255}$/.test(key)) return key;
  throw new Failure(
    'valueNotAllowed',
    `The value '${shortened(String(key))}' of the header Idempotency-Key is not allowed; allowed: 1 to 255 visible ASCII characters.`,
  );
}

/** DELETE /jobs/<id>: cancels the job or deletes its output. @throws Failure notFound */
export function removeRoute(dependencies: ServiceDependencies): RequestHandler {
  return async (request, response) => {
    await dependencies.asynchronousJobs.remove(await findRequestedJob(request, response, dependencies));
    response.status(204).end();
  };
}

/**
 * GET /jobs/<id>/output: the response that the synchronous call would have had.
 * @throws Failure notFound, jobNotEnded, outputGone
 */
export function jobOutputRoute(dependencies: ServiceDependencies): RequestHandler {
  return async (request, response) => {
    const { asynchronousJobs, prefixes, settings } = dependencies;
    const job = await findRequestedJob(request, response, dependencies);
    setJob(response, job.id);
    const link = hasReadableLog(job, settings['debug-log-keep']) ? job.debug_log : null;
    setServiceHeaders(response, prefixes, {
      'job-id': job.id,
      ...(link !== null && { 'debug-log': debugLogLink(request, settings, link) }),
    });
    const result = asynchronousJobs.resultOf(job);
    if (result.kind === 'failure') sendFailure(result.failure, response, prefixes);
    else if (result.kind === 'archive') await sendArchive(job, { request, response, dependencies });
    else await sendOutput(job, result.output, { request, response, dependencies });
  };
}

interface OutputExchange {
  readonly request: Request;
  readonly response: Response;
  readonly dependencies: ServiceDependencies;
}

async function sendOutput(
  { id }: JobRecord,
  output: StoredJobOutput,
  { request, response, dependencies: { asynchronousJobs, prefixes } }: OutputExchange,
): Promise<void> {
  const parts = asynchronousJobs.readOutput(id, output)[Symbol.asyncIterator]();
  const first = request.method === 'HEAD' ? undefined : await parts.next().catch(missing);
  setNoteHeaders(response, prefixes, output);
  setOutputHeaders(response, prefixes, {
    ...output,
    pages: output.pages,
    contentDisposition: dispositionOf(output.name, output.disposition),
    digest: reprDigestOf(output.sha256),
  });
  if (first === undefined) {
    response.end();
    return;
  }
  try {
    await sendStream(response, Readable.from(withFirst(first, parts), { objectMode: false }));
  } finally {
    // If the caller disconnects early, the stream does not begin to read, and nothing else closes the file.
    await parts.return?.();
  }
}

/** Sends the archive of a batch, which is made meanwhile: it has no digest, and cannot be continued. */
async function sendArchive(
  job: JobRecord,
  { request, response, dependencies: { asynchronousJobs, prefixes } }: OutputExchange,
): Promise<void> {
  const { notes, bytes, stream } = await asynchronousJobs.openArchive(job.id);
  setNoteHeaders(response, prefixes, notes);
  setServiceHeaders(response, prefixes, {
    'consumed-credits': job.totals?.charged ?? 0,
    'output-size': bytes,
  });
  response.status(200).set({
    'content-type': 'application/zip',
    'content-disposition': dispositionOf(archiveName(job.tag), 'attachment'),
    'content-length': String(bytes),
  });
  if (request.method === 'HEAD') {
    stream.destroy();
    response.end();
    return;
  }
  await sendStream(response, stream);
}

/** Sends the body. Resolves also if the caller disconnects. @throws the error of the stream */
async function sendStream(response: Response, body: Readable): Promise<void> {
  try {
    await pipeline(body, response);
  } catch (problem) {
    if (!isDisconnect(problem)) throw problem;
  }
}

/** The file was deleted after the row of the job was read, or it is lost. */
function missing(cause: unknown): never {
  if (isUnavailable(cause) || isOutOfResources(cause)) throw cause;
  throw new Failure('outputGone', 'The output of the job no longer exists. Submit the job again.', { cause });
}

async function* withFirst(
  first: IteratorResult<Uint8Array>,
  rest: AsyncIterator<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  for (let part = first; part.done !== true; part = await rest.next()) yield part.value;
}

function isDisconnect(problem: unknown): boolean {
  const { code } = problem as NodeJS.ErrnoException;
  return code === 'ERR_STREAM_PREMATURE_CLOSE' || code === 'ECONNRESET' || code === 'EPIPE';
}
