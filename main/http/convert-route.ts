/** POST /convert/...: a request becomes a Job, the story is told, the Output is sent. */
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Request, RequestHandler, Response } from 'express';
import { convert, type Conversion } from '../convert.ts';
import { toFailure } from '../failure/failure.ts';
import { flag } from '../fields/kinds.ts';
import { inlineConfigFile } from '../job/config-file.ts';
import { newJobId } from '../job/job-id.ts';
import type { Job } from '../job/job.ts';
import { table, type OptionName, type OptionRow } from '../job/options.ts';
import type { Form } from '../job/read-fields.ts';
import { readJob } from '../job/read-job.ts';
import type { DebugLog } from '../log/debug-log.ts';
import { withoutCredentials } from '../log/masking.ts';
import { baseUrlFor } from './base-url.ts';
import { accountOf, setJob } from './locals.ts';
import { receive } from './receive.ts';
import { sendOutput, setServiceHeaders } from './respond.ts';
import type { ServiceParts } from './service-parts.ts';

/** The caller hung up: nobody reads the answer, so it needs no sentence. */
class CallerGone extends Error {}

export function convertRoute(parts: ServiceParts): RequestHandler {
  return async (request, response) => {
    const id = newJobId();
    setJob(response, id);
    setServiceHeaders(response, parts.prefixes, { 'job-id': id });
    await using workspace = await openWorkspace(join(parts.workFolder, id));
    const limits = { maxUpload: parts.settings['max-upload'], folder: workspace.folder };
    const form = await receive(request, response, limits);
    const log = parts.debugLogs.open(asksForLog(form));
    announceLog({ request, response, parts }, log);
    const signal = AbortSignal.any([parts.shutdown, callerGone(response)]);
    const conversion = await logged({ id, log, account: accountOf(response) }, parts, async () => {
      const wanted = readJob(await inlineConfigFile(form), {
        jobTimeout: parts.settings['job-timeout'],
        twin: parts.settings.alias === 'pdfcrowd',
      });
      const job: Job = { id, account: accountOf(response), ...wanted };
      describeJob(job, log);
      const conversion = await convert({ job, log, signal, folder: workspace.folder }, parts);
      refundUnlessRead(response, conversion);
      return conversion;
    });
    if (conversion !== undefined) sendOutput(response, parts.prefixes, conversion);
  };
}

/** Also for a request that turns out to be wrong elsewhere: its log says why. */
function asksForLog(form: Form): boolean {
  return form.fields.some(({ name, value }) => name === 'debug_log' && flag.read(value) === true);
}

interface Logged {
  readonly id: string;
  readonly account: string;
  readonly log: DebugLog;
}

/** Writes how the work ended into the service's log and the job's own; undefined when the caller has hung up. */
async function logged(
  { id, account, log }: Logged,
  parts: ServiceParts,
  work: () => Promise<Conversion>,
): Promise<Conversion | undefined> {
  const began = performance.now();
  try {
    const conversion = await work();
    const { output, receipt } = conversion;
    const facts = {
      job: id,
      account,
      bytes: output.bytes.length,
      pages: output.pages?.printed,
      credits: receipt.consumed,
    };
    parts.log.info(
      { ...facts, ms: Math.round(performance.now() - began), stages: log.durations },
      'converted',
    );
    await log.end('converted');
    return conversion;
  } catch (problem) {
    const gone = problem instanceof CallerGone;
    if (gone) parts.log.info({ job: id, account, stage: log.stage }, 'the caller hung up');
    const { message, status, reason } = toFailure(problem);
    log.write({
      kind: 'failure',
      text: gone ? 'The caller hung up.' : message,
      detail: gone ? {} : { status, reason },
    });
    await log.end('failed');
    if (!gone) throw problem;
    return undefined;
  }
}

function describeJob(job: Job, log: DebugLog): void {
  log.write({ kind: 'job', text: job.id, detail: { account: job.account, input: job.input.kind } });
  for (const name of job.given)
    log.write({ kind: 'job', text: name, detail: { value: shownValue(job, name) } });
  job.notes.forEach((note) => {
    log.note(note);
  });
}

function shownValue({ options }: Job, name: OptionName): string {
  const row: OptionRow = table[name];
  const value = options[name];
  if (row.secret === true) return '***';
  return typeof value === 'object' || name === 'text' || name === 'data_string'
    ? '(content)'
    : withoutCredentials(String(value).slice(0, 2000));
}

interface Exchange {
  readonly request: Request;
  readonly response: Response;
  readonly parts: ServiceParts;
}

function announceLog({ request, response, parts }: Exchange, log: DebugLog): void {
  const link = log.id && `${baseUrlFor(request, parts.settings)}/debug-log/${log.id}`;
  setServiceHeaders(response, parts.prefixes, { 'debug-log': link });
}

/** Aborts when the connection ends before the answer was sent. */
function callerGone(response: Response): AbortSignal {
  const gone = new AbortController();
  response.once('close', () => {
    if (!response.writableFinished) gone.abort(new CallerGone());
  });
  if (response.destroyed) gone.abort(new CallerGone());
  return gone.signal;
}

function refundUnlessRead(response: Response, { refund }: Conversion): void {
  if (response.destroyed) refund();
  else {
    response.once('close', () => {
      if (!response.writableFinished) refund();
    });
  }
}

/** The job's own folder, gone with the job. */
async function openWorkspace(folder: string): Promise<{ folder: string } & AsyncDisposable> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  return { folder, [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true, maxRetries: 3 }) };
}
