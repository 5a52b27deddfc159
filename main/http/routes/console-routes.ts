/** The HTTP routes of the console: page, assets, calls, runs and outputs (docs/console.md). */
import { isNestedBeyond } from '../../async/json-depth.ts';
import { json, type RequestHandler, type Request, type Response } from 'express';
import { join } from 'node:path';
import type { Console } from '../../console/open-console.ts';
import { Failure } from '../../failure/failure.ts';
import {
  dispositionOf,
  sendFile,
  liftPagePolicy,
  setPagePolicy,
  disconnectSignal,
  setServiceHeaders,
  closeAfterResponse,
} from '../response/respond.ts';
import { accountOf, setErrorsAsJson } from '../server/locals.ts';
import type { ServiceDependencies } from './service-dependencies.ts';
import { baseUrlFor } from '../security/base-url.ts';
import { bodyFormat } from '../upload/form-limits.ts';
import { drain, sendContinue } from '../upload/receive.ts';
import { pagePolicy } from '../../console/page-policy.ts';
import type { RunEvent } from '../../console/contract.ts';
import type { ReceivedForm } from '../../conversion/admission.ts';
import { limitPerAccount } from './limit-per-account.ts';
import { admit } from './upload-admission.ts';

type ConsoleMethods = Partial<Record<'get' | 'post', RequestHandler>>;

export function consoleRoutes(
  dependencies: ServiceDependencies,
): readonly (readonly [path: string, methods: ConsoleMethods])[] {
  return [
    ['/', { get: consolePage(dependencies.consoleFiles) }],
    ['/console/assets/*path', { get: consoleAsset(dependencies.consoleFiles) }],
    ['/console/call/:name', { post: limitPerAccount(maxConcurrentCalls)(callRoute(dependencies)) }],
    ['/console/run', { post: runRoute(dependencies) }],
    ['/console/output/:id', { get: outputRoute(dependencies.console) }],
  ];
}

/** Maximum number of concurrent console calls of one account. */
const maxConcurrentCalls = 8;

/** Makes all error responses below /console JSON, because only programs send requests there. */
export const consoleErrorsAsJson: RequestHandler = (_request, response, next) => {
  setErrorsAsJson(response);
  next();
};

/** GET /console/output/<id>: an output of a run of the same account. @throws Failure notFound if the output has expired */
function outputRoute({ outputs }: Pick<Console, 'outputs'>): RequestHandler {
  const missing =
    'The output of this run has expired. Outputs are kept for an hour, at most the newest 40 of an account. Run it again.';
  return async (request, response) => {
    const file = await outputs.find(String(request.params.id), accountOf(response).id);
    if (file === undefined) throw new Failure('notFound', missing);
    const isDownload = request.query.download !== undefined;
    const disposition = dispositionOf(file.name, isDownload ? 'attachment' : 'inline');
    liftPagePolicy(response);
    await sendFile(response, file.path, { missing, type: file.type, disposition });
  };
}

/**
 * POST /console/call/<name>: one console call, with input and result as JSON.
 * @throws Failure bodyFormat or uploadTooLarge; the failures of the call
 */
function callRoute(dependencies: Pick<ServiceDependencies, 'console' | 'settings'>): RequestHandler {
  return async (request, response) => {
    const input = await readInput(request, response);
    const baseUrl = baseUrlFor(request, dependencies.settings);
    const call = { name: String(request.params.name), input, caller: accountOf(response), baseUrl };
    response.json(await dependencies.console.call(call));
  };
}

/** Parsing and validating a megabyte of short fields takes 100 ms. Only the calls of operators have long inputs. */
const maxCallSizes = { operator: '1mb', others: '10kb' } as const;
const maxNesting = 100;

function jsonParser(limit: string): RequestHandler {
  return json({
    limit,
    inflate: false,
    strict: false,
    verify(_request, _response, body, encoding) {
      if (isNestedBeyond(body.toString(encoding as BufferEncoding), maxNesting))
        throw new Error('nested too often');
    },
  });
}

const jsonParsers = { operator: jsonParser(maxCallSizes.operator), others: jsonParser(maxCallSizes.others) };

/**
 * Reads the JSON input. Returns undefined for an empty body. Requires a JSON content type, which pages of other origins cannot send
 * without a preflight (Fetch, 2.2.2).
 * @throws Failure bodyFormat, uploadTooLarge
 */
async function readInput(request: Request, response: Response): Promise<unknown> {
  if (request.headers['content-length'] === '0') return undefined;
  if (request.is('json') === false) throw bodyFormat('The content type is not JSON; send application/json.');
  sendContinue(request, response);
  const caller = accountOf(response).operator ? 'operator' : 'others';
  await new Promise<void>((resolve, reject) => {
    void jsonParsers[caller](request, response, (problem?: unknown) => {
      if (problem === undefined) resolve();
      else reject(toFailure(problem, maxCallSizes[caller]));
    });
  });
  return request.body as unknown;
}

/**
 * Returns the failure for an error of the JSON parser. Drops the parser's message, which quotes the body and may contain a secret.
 */
function toFailure(problem: unknown, limit: string): Failure {
  const status = problem instanceof Error && 'status' in problem ? problem.status : undefined;
  if (status === 413)
    return new Failure(
      'uploadTooLarge',
      `The input of the call is larger than ${limit.toUpperCase()}; send less.`,
    );
  return bodyFormat('The body is not valid JSON; send the input of the call as JSON.');
}

/** GET /: the page of the console. @throws Failure notFound if the folder does not contain the page */
export function consolePage(folder: string): RequestHandler {
  return async (_request, response) => {
    setPagePolicy(response, pagePolicy);
    const missing = 'This installation does not include the console. The API is described at /docs.';
    await sendFile(response, join(folder, 'index.html'), { missing });
  };
}

/** The build adds a hash of the content to the names of these files. */
const hashedName = /-[\w-]{8}\.\w+$/;

/**
 * GET /console/assets/...: a file of the console. It has a content security policy because a worker takes its policy from the
 * response with its script (CSP 3, 4.2.4).
 * @throws Failure notFound
 */
export function consoleAsset(folder: string): RequestHandler {
  return async (request, response) => {
    const segments: unknown = request.params.path;
    const name = Array.isArray(segments) ? segments.join('/') : '';
    setPagePolicy(response, pagePolicy);
    await sendFile(response, name, {
      root: join(folder, 'console', 'assets'),
      missing: 'The console has no such file. Reload its page.',
      // `private`: the response requires authentication, so shared caches must not store it (RFC 9111, 3.5).
      cached: hashedName.test(name) ? 'private, max-age=31536000, immutable' : 'private, no-cache',
    });
  };
}

/**
 * POST /console/run: converts a form and streams the events of the run, one JSON object per line. The run is cancelled if the
 * caller disconnects.
 * @throws Failure unavailable before the body is read
 */
function runRoute(dependencies: ServiceDependencies): RequestHandler {
  return async (request, response) => {
    using admission = admit(request, response, dependencies);
    const eventStream = openEventStream(response);
    await dependencies.console.run({
      account: accountOf(response),
      signal: disconnectSignal(response),
      async receive(folder, maxBytes) {
        const received = await admission.receive(folder, maxBytes);
        await drainAfter(received, request, response);
        eventStream.begin();
        return received;
      },
      onEvent: eventStream.write,
    });
    if (!eventStream.hasBegun) await drain(request);
    eventStream.end(dependencies);
  };
}

/**
 * Reads the rest of an invalid body, because the caller reads the response only after sending the body. Closes the connection,
 * because the start of a next request cannot be determined.
 */
async function drainAfter({ problem }: ReceivedForm, request: Request, response: Response): Promise<void> {
  if (problem === undefined) return;
  // The rest of a body that has stalled may never arrive.
  if (!(problem instanceof Failure && problem.kind === 'requestTimeout')) await drain(request);
  closeAfterResponse(response);
}

interface EventStream {
  readonly write: (event: RunEvent) => void;
  /** Sends the events written so far. From then on, events are sent immediately. */
  readonly begin: () => void;
  /** Whether `begin` was called. */
  readonly hasBegun: boolean;
  /** Ends the response. If `begin` was not called, the response is the failure with its status. */
  readonly end: (dependencies: Pick<ServiceDependencies, 'prefixes'>) => void;
}

/**
 * Holds events back until the form has arrived. A client that waits for 100 Continue (RFC 9110, 10.1.1) would take them for the
 * final response.
 */
function openEventStream(response: Response): EventStream {
  const pending: RunEvent[] = [];
  let hasBegun = false;
  const isOpen = () => !response.destroyed && !response.writableEnded;
  const send = (event: RunEvent) => {
    if (isOpen()) response.write(`${JSON.stringify(event)}\n`);
  };
  return {
    get hasBegun() {
      return hasBegun;
    },
    write(event) {
      if (hasBegun) send(event);
      else pending.push(event);
    },
    begin() {
      hasBegun = true;
      // The header stops nginx and similar reverse proxies from buffering the response, which would hide the progress.
      response.set({ 'content-type': 'application/x-ndjson', 'x-accel-buffering': 'no' });
      pending.forEach(send);
    },
    end({ prefixes }) {
      if (!isOpen()) return;
      if (hasBegun) response.end();
      else sendFailure(response, prefixes, pending);
    },
  };
}

/** Responds with the failure of a run whose form did not arrive completely. */
function sendFailure(response: Response, prefixes: readonly string[], events: readonly RunEvent[]): void {
  const last = events.at(-1);
  if (last?.kind !== 'failed') return void response.end();
  const { status, reason, message, retryAfter } = last;
  setServiceHeaders(response, prefixes, { 'reason-code': reason });
  if (retryAfter !== undefined) response.set('retry-after', String(retryAfter));
  response.status(status).json({ status, reason, message, ...(retryAfter !== undefined && { retryAfter }) });
}
