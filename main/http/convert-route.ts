/** POST /convert/...: a request becomes a Job, the story is told, the Output is sent. */
import { join } from 'node:path';
import type { Request, RequestHandler, Response } from 'express';
import { convert, type Conversion } from '../convert.ts';
import { flag } from '../fields/kinds.ts';
import { inlineConfigFile } from '../job/config-file.ts';
import { newJobId } from '../job/job-id.ts';
import type { Job } from '../job/job.ts';
import { table, type OptionName } from '../job/options.ts';
import type { Form } from '../job/read-fields.ts';
import { readJob } from '../job/read-job.ts';
import type { DebugLog } from '../log/debug-log.ts';
import { baseUrlFor } from './base-url.ts';
import { beginLog, CallerGone, describeJob, logged } from './job-log.ts';
import { accountOf, setDebugLog, setJob, setTag } from './locals.ts';
import { observeJob } from './observe-job.ts';
import { receive } from './receive.ts';
import { sendOutput, setServiceHeaders } from './respond.ts';
import { secretsOf } from './secrets-of.ts';
import type { ServiceParts } from './service-parts.ts';
import { openWorkspace } from './workspace.ts';

export function convertRoute(parts: ServiceParts): RequestHandler {
  return async (request, response) => {
    const [id, { name: account, debugLog }] = [newJobId(), accountOf(response)];
    setJob(response, id);
    observeJob(response, parts);
    setServiceHeaders(response, parts.prefixes, { 'job-id': id });
    await using workspace = await openWorkspace(join(parts.workFolder, id));
    const limits = { maxUpload: parts.settings['max-upload'], folder: workspace.folder };
    const form = await receive(request, response, limits);
    const tag = said(form, 'tag', table.tag.kind.read);
    setTag(response, tag);
    const own = parts.debugLogs.open(debugLog || said(form, 'debug_log', flag.read) === true);
    own.hide(secretsOf(form));
    setDebugLog(response, own);
    announceLog({ request, response, parts }, own);
    beginLog(own, { id, account, tag }, parts.versions);
    const signal = AbortSignal.any([parts.shutdown, callerGone(response)]);
    const told = { id, account, tag, own, log: parts.log };
    const answer = await logged(told, async () => {
      const job: Job = { id, account, ...(await readForm(form, parts)) };
      describeJob(job, own, isTwin(parts));
      setServiceHeaders(response, parts.prefixes, { notes: job.notes.length });
      const conversion = await convert({ job, log: own, signal, folder: workspace.folder }, parts);
      refundUnlessRead(response, conversion);
      return { ...conversion, options: job.options };
    });
    if (answer !== undefined) sendOutput(response, parts.prefixes, answer);
  };
}

/** What the logs need of a request that may turn out to be wrong elsewhere. */
function said<T>(form: Form, option: OptionName, read: (text: string) => T | undefined): T | undefined {
  const values = form.fields.filter(({ name }) => name === option).map(({ value }) => read(value));
  return values.find((value) => value !== undefined);
}

async function readForm(form: Form, { settings }: Pick<ServiceParts, 'settings'>) {
  return readJob(await inlineConfigFile(form), {
    jobTimeout: settings['job-timeout'],
    twin: isTwin({ settings }),
  });
}

function isTwin({ settings }: Pick<ServiceParts, 'settings'>): boolean {
  return settings.alias === 'pdfcrowd';
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
