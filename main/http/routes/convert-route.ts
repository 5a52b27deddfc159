/** POST /convert/...: converts a form and sends the output as the response. */
import type { Request, RequestHandler, Response } from 'express';
import { convertForm, type Begun, type Made } from '../../conversion/convert-form.ts';
import { newJobId } from '../../job/job.ts';
import { admit } from './admission.ts';
import { debugLogLink } from '../security/base-url.ts';
import { callerGone, setOutputHeaders, setServiceHeaders } from '../response/respond.ts';
import { deliver } from '../response/deliver.ts';
import { accountOf, brokenOffOf, setDebugLog, setJob, setTag, debugLogOf } from '../server/locals.ts';
import type { ServiceParts } from './service-parts.ts';

export function convertRoute(parts: ServiceParts): RequestHandler {
  return async (request, response) => {
    const id = newJobId();
    const account = accountOf(response);
    setJob(response, id);
    observeJob(response, parts);
    setServiceHeaders(response, parts.prefixes, { 'job-id': id });
    const gone = callerGone(response);
    using admission = admit(request, response, parts);
    const exchange = { request, response, parts, gone };
    const order = {
      id,
      account,
      gone,
      receive: admission.receive,
      brokenOff: () => brokenOffOf(response),
      announce: (begun: Begun) => {
        announce(exchange, begun);
      },
      accept: ({ notes }: Made['job']) => {
        setServiceHeaders(response, parts.prefixes, { notes: notes.length });
      },
      deliver: (made: Made) => sendOutput(exchange, made),
    };
    await convertForm(order, parts);
  };
}

interface Exchange {
  readonly request: Request;
  readonly response: Response;
  readonly parts: ServiceParts;
  /** Aborts when the caller hangs up. */
  readonly gone: AbortSignal;
}

function announce({ request, response, parts }: Exchange, { log, tag }: Begun): void {
  setTag(response, tag);
  setDebugLog(response, log);
  const link = log.id && debugLogLink(request, parts.settings, log.id);
  setServiceHeaders(response, parts.prefixes, { 'debug-log': link });
}

async function sendOutput({ response, parts, gone }: Exchange, made: Made): Promise<void> {
  const { output, job, entry, log } = made;
  setServiceHeaders(response, parts.prefixes, { notes: job.notes.length + log.alwaysNoted });
  setOutputHeaders(response, parts.prefixes, { ...made, options: job.options });
  const onLastByte = () => {
    parts.closingLogs.begin(log.id);
  };
  await deliver(response, { bytes: output.bytes, entry, stages: log.durations, gone, onLastByte });
}

/** Counts the job in the metrics when its response ends, by the outcome that the response reports. Call it when the request arrives. */
function observeJob(
  response: Response,
  { metrics, prefixes }: Pick<ServiceParts, 'metrics' | 'prefixes'>,
): void {
  const startMs = performance.now();
  const headerNumber = (name: string) =>
    Number(response.getHeader(`x-${prefixes[0] ?? 'service'}-${name}`) ?? 0);
  response.once('close', () => {
    const reason = brokenOffOf(response)?.reason ?? headerNumber('reason-code');
    const outcome = outcomeOf(response, reason);
    metrics.jobEnded({
      account: accountOf(response).name,
      outcome,
      reason: outcome === 'failed' ? reason : 0,
      took: performance.now() - startMs,
      stages: debugLogOf(response)?.durations ?? {},
      credits: outcome === 'converted' ? headerNumber('consumed-credits') : 0,
    });
  });
}

function outcomeOf(response: Response, reason: number): 'caller_gone' | 'converted' | 'failed' {
  // The caller hung up before the response ended, whatever its headers say.
  if (!response.writableFinished && brokenOffOf(response) === undefined) return 'caller_gone';
  return reason === 0 ? 'converted' : 'failed';
}
