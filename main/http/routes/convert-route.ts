/** POST /convert/...: converts a form and sends the output as the response. */
import type { Request, RequestHandler, Response } from 'express';
import { convertForm, type OpenedLog, type FinishedConversion } from '../../conversion/convert-form.ts';
import { noteFactsOf } from '../../conversion/note-facts.ts';
import { newJobId } from '../../job/job.ts';
import { admit } from './upload-admission.ts';
import { debugLogLink } from '../security/base-url.ts';
import {
  contentDisposition,
  disconnectSignal,
  reprDigest,
  setOutputHeaders,
  setNoteHeaders,
  setServiceHeaders,
} from '../response/respond.ts';
import { deliver } from '../response/deliver.ts';
import { accountOf, unsentFailureOf, setDebugLog, setJob, setTag, debugLogOf } from '../server/locals.ts';
import type { ServiceDependencies } from './service-dependencies.ts';

export function convertRoute(dependencies: ServiceDependencies): RequestHandler {
  return async (request, response) => {
    const id = newJobId();
    const account = accountOf(response);
    setJob(response, id);
    observeJob(response, dependencies);
    setServiceHeaders(response, dependencies.prefixes, { 'job-id': id });
    const callerDisconnected = disconnectSignal(response);
    using admission = admit(request, response, dependencies);
    const exchange = { request, response, dependencies, callerDisconnected };
    const conversionRequest = {
      id,
      account,
      callerDisconnected,
      receive: admission.receive,
      uploadFailure: () => unsentFailureOf(response),
      onReceived: (openedLog: OpenedLog) => {
        setLogHeaders(exchange, openedLog);
      },
      deliver: async (conversion: FinishedConversion) => {
        admission.holdOutput(conversion.output.bytes.length);
        await sendOutput(exchange, conversion);
      },
    };
    await convertForm(conversionRequest, dependencies);
  };
}

interface ConvertExchange {
  readonly request: Request;
  readonly response: Response;
  readonly dependencies: ServiceDependencies;
  /** Aborts when the caller disconnects. */
  readonly callerDisconnected: AbortSignal;
}

function setLogHeaders({ request, response, dependencies }: ConvertExchange, { log, tag }: OpenedLog): void {
  setTag(response, tag);
  setDebugLog(response, log);
  const link = log.id && debugLogLink(request, dependencies.settings, log.id);
  setServiceHeaders(response, dependencies.prefixes, { 'debug-log': link });
}

async function sendOutput(
  { response, dependencies, callerDisconnected }: ConvertExchange,
  conversion: FinishedConversion,
): Promise<void> {
  const { output, job, entry, log } = conversion;
  setNoteHeaders(response, dependencies.prefixes, noteFactsOf(log));
  const digest = await reprDigest(output.bytes);
  setOutputHeaders(response, dependencies.prefixes, {
    receipt: conversion.receipt,
    contentType: output.contentType,
    pages: output.pages,
    bytes: output.bytes.length,
    contentDisposition: contentDisposition(job.options),
    digest,
  });
  const onLastByte = () => {
    dependencies.closingLogs.begin(log.id);
  };
  await deliver(response, {
    bytes: output.bytes,
    entry,
    stages: log.durations,
    callerDisconnected,
    onLastByte,
  });
}

/**
 * Counts the job in the metrics when its response ends. The outcome comes from the response. Call this when the request arrives.
 */
function observeJob(
  response: Response,
  { metrics, prefixes }: Pick<ServiceDependencies, 'metrics' | 'prefixes'>,
): void {
  const startMs = performance.now();
  const headerNumber = (name: string) =>
    Number(response.getHeader(`x-${prefixes[0] ?? 'service'}-${name}`) ?? 0);
  response.once('close', () => {
    const reason = unsentFailureOf(response)?.reason ?? headerNumber('reason-code');
    const outcome = outcomeOf(response, reason);
    metrics.jobEnded({
      account: accountOf(response).name,
      outcome,
      reason: outcome === 'failed' ? reason : 0,
      durationMs: performance.now() - startMs,
      stages: debugLogOf(response)?.durations ?? {},
      credits: outcome === 'converted' ? headerNumber('consumed-credits') : 0,
    });
  });
}

function outcomeOf(response: Response, reason: number): 'caller_gone' | 'converted' | 'failed' {
  // The caller disconnected before the response ended, whatever its headers say.
  if (!response.writableFinished && unsentFailureOf(response) === undefined) return 'caller_gone';
  return reason === 0 ? 'converted' : 'failed';
}
