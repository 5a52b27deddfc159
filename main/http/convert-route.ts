/** POST /convert/...: a request becomes a Job, the story is told, the Output is sent. */
import { join } from 'node:path';
import type { Request, RequestHandler, Response } from 'express';
import type { JobEntry } from '../accounts/job-entry.ts';
import { convert } from '../convert.ts';
import { flag } from '../fields/kinds.ts';
import { inlineConfigFile } from '../job/config-file.ts';
import { newJobId } from '../job/job-id.ts';
import type { Job } from '../job/job.ts';
import { table, type OptionName } from '../job/options.ts';
import type { Form } from '../job/read-fields.ts';
import { readJob } from '../job/read-job.ts';
import type { DebugLog } from '../log/debug-log.ts';
import { debugLogLink } from './base-url.ts';
import type { BodyShare } from './body-budget.ts';
import { callerGone } from './caller-gone.ts';
import { deliver } from './deliver.ts';
import { beginLog, describeJob, logged, recorded } from './job-log.ts';
import { factsOfForm } from './job-parameters.ts';
import { accountOf, brokenOffOf, setDebugLog, setJob, setTag } from './locals.ts';
import { observeJob } from './observe-job.ts';
import type { Received } from './receive.ts';
import { setOutputHeaders, setServiceHeaders } from './respond.ts';
import { secretsOf } from './secrets-of.ts';
import type { ServiceParts } from './service-parts.ts';
import { openWorkspace } from './workspace.ts';

export function convertRoute(parts: ServiceParts): RequestHandler {
  return async (request, response) => {
    const [id, account] = [newJobId(), accountOf(response)];
    setJob(response, id);
    observeJob(response, parts);
    setServiceHeaders(response, parts.prefixes, { 'job-id': id });
    const gone = callerGone(response);
    using share = admitted(account.name, request, parts);
    await using entry = await parts.jobs.begin({ id, account, now: Date.now() });
    await recorded(entry, response, async () => {
      await using workspace = await openWorkspace(join(parts.workFolder, id));
      const exchange = { id, request, response, parts, entry, gone };
      const limits = { ...uploadLimits(parts), folder: workspace.folder, share };
      const received = await parts.forms.receive(request, response, limits);
      share.keep(received.form.fields.reduce((bytes, { value }) => bytes + value.length, 0));
      await answer(exchange, received, workspace.folder);
    });
  };
}

function uploadLimits({ settings }: Pick<ServiceParts, 'settings'>) {
  return { maxUpload: settings['max-upload'], uploadTimeout: settings['upload-timeout'] };
}

/** Before the body is read: who would be refused when it is there is refused now. @throws Failure unavailable */
function admitted(
  account: string,
  request: Request,
  { preparations, engine, bodies }: ServiceParts,
): BodyShare {
  const refusal = preparations.refusalOf(account) ?? engine.refusalOf(account);
  if (refusal !== undefined) throw refusal;
  // Of a multipart form, files go to the disk.
  const isInMemory = request.is('urlencoded') !== false;
  return bodies.open(account, isInMemory ? Number(request.headers['content-length'] ?? 0) : 0);
}

interface Exchange {
  /** The job's. */
  readonly id: string;
  readonly request: Request;
  readonly response: Response;
  readonly parts: ServiceParts;
  readonly entry: JobEntry;
  /** Aborts when the caller hangs up. */
  readonly gone: AbortSignal;
}

async function answer(exchange: Exchange, { form, problem }: Received, folder: string): Promise<void> {
  const { id, response, parts, entry, gone } = exchange;
  const { name: account, debugLog } = accountOf(response);
  const tag = said(form, 'tag', table.tag.kind.read);
  setTag(response, tag);
  const own = parts.debugLogs.open(debugLog || said(form, 'debug_log', flag.read) === true);
  setDebugLog(response, own);
  announceLog(exchange, own);
  await logged({ id, account, tag, own, log: parts.log, closing: parts.closingLogs }, async () => {
    own.hide(secretsOf(form));
    beginLog(own, { id, account, tag }, parts.versions);
    const facts = factsOfForm(form, (text) => own.masked(text));
    await entry.describe({ ...facts, tag: tag ?? null, debug_log: own.id ?? null });
    if (problem !== undefined)
      throw brokenOffOf(response) ?? (gone.aborted ? (gone.reason as Error) : problem);
    const job: Job = { id, account, ...(await readForm(form, parts)) };
    describeJob(job, own, isTwin(parts));
    setServiceHeaders(response, parts.prefixes, { notes: job.notes.length });
    const signal = AbortSignal.any([parts.shutdown, gone]);
    const conversion = await convert({ job, log: own, signal, folder }, entry, parts);
    setOutputHeaders(response, parts.prefixes, { ...conversion, options: job.options });
    const { bytes } = conversion.output;
    const onLastByte = () => {
      parts.closingLogs.begin(own.id);
    };
    await deliver(response, { bytes, entry, stages: own.durations, gone, onLastByte });
    return conversion;
  });
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

function announceLog({ request, response, parts }: Exchange, log: DebugLog): void {
  const link = log.id && debugLogLink(request, parts.settings, log.id);
  setServiceHeaders(response, parts.prefixes, { 'debug-log': link });
}
