/** POST /console/run: the form of a conversion, answered with what happens, one line of JSON each, as it happens. */
import type { Request, RequestHandler, Response } from 'express';
import type { RunEvent } from '../console/contract.ts';
import type { Received } from '../conversion/received.ts';
import { admit } from './admission.ts';
import { callerGone } from './caller-gone.ts';
import { drain } from './drain.ts';
import { accountOf } from './locals.ts';
import { setServiceHeaders } from './respond.ts';
import type { ServiceParts } from './service-parts.ts';

/** Hanging up cancels it. @throws Failure unavailable before the body is read */
export function runRoute(parts: ServiceParts): RequestHandler {
  return async (request, response) => {
    using admitted = admit(request, response, parts);
    const lines = openLines(response);
    await parts.console.run({
      account: accountOf(response),
      signal: callerGone(response),
      async receive(folder) {
        const received = await admitted.receive(folder);
        await drainAfter(received, request, response);
        lines.begin();
        return received;
      },
      on: lines.write,
    });
    if (!lines.begun) await drain(request);
    lines.end(parts);
  };
}

/** Whoever still sends does not read yet; and nobody knows where the next request would begin. */
async function drainAfter({ problem }: Received, request: Request, response: Response): Promise<void> {
  if (problem === undefined) return;
  await drain(request);
  response.set('connection', 'close');
}

interface Lines {
  readonly write: (event: RunEvent) => void;
  /** What was written before goes out, and what follows at once. */
  readonly begin: () => void;
  readonly begun: boolean;
  readonly end: (parts: Pick<ServiceParts, 'prefixes'>) => void;
}

/** Nothing goes out before the form is there: who waits to be asked for it (RFC 9110, 10.1.1) would take it for the answer. */
function openLines(response: Response): Lines {
  const waiting: RunEvent[] = [];
  let begun = false;
  const isOpen = () => !response.destroyed && !response.writableEnded;
  const put = (event: RunEvent) => {
    if (isOpen()) response.write(`${JSON.stringify(event)}\n`);
  };
  return {
    get begun() {
      return begun;
    },
    write(event) {
      if (begun) put(event);
      else waiting.push(event);
    },
    begin() {
      begun = true;
      // A proxy in front that gathers lines first would show no progress (nginx).
      response.set({ 'content-type': 'application/x-ndjson', 'x-accel-buffering': 'no' });
      waiting.forEach(put);
    },
    end({ prefixes }) {
      if (!isOpen()) return;
      if (begun) response.end();
      else refuse(response, prefixes, waiting);
    },
  };
}

/** A run that did not come as far as to have its form is refused as everything is, by status. */
function refuse(response: Response, prefixes: readonly string[], events: readonly RunEvent[]): void {
  const last = events.at(-1);
  if (last?.kind !== 'failed') return void response.end();
  const { status, reason, message, retryAfter } = last;
  setServiceHeaders(response, prefixes, { 'reason-code': reason });
  if (retryAfter !== undefined) response.set('retry-after', String(retryAfter));
  response.status(status).json({ status, reason, message, ...(retryAfter !== undefined && { retryAfter }) });
}
