/** POST /convert/...: a request's form becomes a job, whose output is the answer. */
import type { Request, RequestHandler, Response } from 'express';
import { convertForm, type Begun, type Made } from '../conversion/convert-form.ts';
import { newJobId } from '../job/job-id.ts';
import { admit } from './admission.ts';
import { debugLogLink } from './base-url.ts';
import { callerGone } from './caller-gone.ts';
import { deliver } from './deliver.ts';
import { accountOf, brokenOffOf, setDebugLog, setJob, setTag } from './locals.ts';
import { observeJob } from './observe-job.ts';
import { setOutputHeaders, setServiceHeaders } from './respond.ts';
import type { ServiceParts } from './service-parts.ts';

export function convertRoute(parts: ServiceParts): RequestHandler {
  return async (request, response) => {
    const [id, account] = [newJobId(), accountOf(response)];
    setJob(response, id);
    observeJob(response, parts);
    setServiceHeaders(response, parts.prefixes, { 'job-id': id });
    const gone = callerGone(response);
    using admitted = admit(request, response, parts);
    const exchange = { request, response, parts, gone };
    const order = {
      ...{ id, account, gone, receive: admitted.receive },
      brokenOff: () => brokenOffOf(response),
      announce: (begun: Begun) => {
        announce(exchange, begun);
      },
      accept: ({ notes }: Made['job']) => {
        setServiceHeaders(response, parts.prefixes, { notes: notes.length });
      },
      deliver: (made: Made) => answer(exchange, made),
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

async function answer({ response, parts, gone }: Exchange, made: Made): Promise<void> {
  const { output, job, entry, log } = made;
  setOutputHeaders(response, parts.prefixes, { ...made, options: job.options });
  const onLastByte = () => {
    parts.closingLogs.begin(log.id);
  };
  await deliver(response, { bytes: output.bytes, entry, stages: log.durations, gone, onLastByte });
}
