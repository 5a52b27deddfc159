/**
 * Sends one callback: a signed POST request as Standard Webhooks specifies it, through the network policy of pages. Redirects are not
 * followed, because each would need another check, and would turn the POST into a GET.
 */
import http, { type IncomingMessage } from 'node:http';
import { isIP, type Socket } from 'node:net';
import tls from 'node:tls';
import { Webhook } from 'standardwebhooks';
import { unlessAborted } from '../async/signals.ts';
import { waitForConnect } from '../network/dial.ts';
import { targetOfUrl, type HostAndPort } from '../network/host-name.ts';
import type { GuardRefusal } from '../network/resolve-target.ts';
import { directRoute, type Route } from '../network/route.ts';
import { RefusedError, Traffic } from '../network/traffic.ts';
import { trustedAuthorities } from '../network/trusted-authorities.ts';
import { upstreamRoute } from '../network/upstream.ts';
import type { CallbackNetwork } from './callback-network.ts';

export interface CallbackRequest {
  /** The value of the header `webhook-id`, the same in every attempt. */
  readonly id: string;
  /** http: or https:. */
  readonly url: string;
  /** JSON. */
  readonly body: string;
  /** `whsec_` and base64. */
  readonly secret: string;
  readonly userAgent: string;
  /** Limit of the whole exchange. */
  readonly timeoutMs: number;
}

export type CallbackResult =
  | { readonly kind: 'delivered' }
  /** The receiver wants no further attempt: status 410. */
  | { readonly kind: 'gone' }
  /** `problem`: one sentence without the query of the URL. `refusal`: only for the log. */
  | {
      readonly kind: 'failed';
      readonly problem: string;
      readonly retryAfterMs?: number;
      readonly refusal?: GuardRefusal;
    };

/** Response bodies are discarded. The connection is closed after this many bytes. */
const maxResponseBytes = 64 * 1024;

/**
 * Sends the callback once. Problems of the receiver and of the network are results.
 * @throws the reason of the signal if it aborts
 */
export async function sendCallback(
  request: CallbackRequest,
  network: CallbackNetwork,
  signal: AbortSignal,
): Promise<CallbackResult> {
  signal.throwIfAborted();
  let refusal: GuardRefusal | undefined;
  const traffic = new Traffic({ log: (refused) => (refusal = refused) });
  const route = routeTo(network, traffic);
  const timeout = AbortSignal.timeout(request.timeoutMs);
  const ended = new AbortController();
  try {
    const exchange = exchangeOver(route, { request, network, traffic, signal: ended.signal });
    return resultOf(await unlessAborted(signal, unlessAborted(timeout, exchange)));
  } catch (problem) {
    signal.throwIfAborted();
    if (timeout.aborted)
      return failed(`the receiver did not answer within ${Math.round(request.timeoutMs / 1000)} s`);
    return { ...failed(describeProblem(problem)), ...(refusal && { refusal }) };
  } finally {
    ended.abort();
    route.close();
    traffic.end();
  }
}

interface ReceiverResponse {
  readonly status: number;
  readonly retryAfter: string | undefined;
}

interface ExchangeContext {
  readonly request: CallbackRequest;
  readonly network: CallbackNetwork;
  readonly traffic: Traffic;
  /** Aborts when the callback has ended. */
  readonly signal: AbortSignal;
}

function routeTo(network: CallbackNetwork, traffic: Traffic): Route {
  const options = { ...network, traffic };
  return network.upstreamProxy === undefined
    ? directRoute(options)
    : upstreamRoute(options, network.upstreamProxy);
}

async function exchangeOver(route: Route, context: ExchangeContext): Promise<ReceiverResponse> {
  const url = new URL(context.request.url);
  const target = targetOfUrl(url);
  if (target === undefined) throw new Error('the URL has no host that can be reached');
  const options = await connectionTo(route, { url, target, ...context });
  return await post(context.request, url, options);
}

interface ReceiverConnection extends ExchangeContext {
  readonly url: URL;
  readonly target: HostAndPort;
}

interface ReceiverRequestOptions {
  readonly options: http.RequestOptions;
  /** Alternating names and values for the upstream proxy. */
  readonly headers: readonly string[];
}

async function connectionTo(
  route: Route,
  { url, target, network, traffic, signal }: ReceiverConnection,
): Promise<ReceiverRequestOptions> {
  if (url.protocol === 'http:') {
    const { headers, ...options } = await route.requestOptions(target, url, signal);
    return { options, headers };
  }
  const socket = await connectTls(traffic.track(await route.connect(target, signal)), target, network);
  const options = { path: url.pathname + url.search, createConnection: () => traffic.track(socket) };
  return { options, headers: [] };
}

/** Parsing 150 authorities takes 30 ms of the main thread, so all callbacks share the context of a list. */
const contexts = new WeakMap<readonly string[], tls.SecureContext>();

function contextWith(authorities: readonly string[] | undefined): tls.SecureContext {
  if (authorities === undefined) return tls.createSecureContext();
  const context = contexts.get(authorities) ?? tls.createSecureContext({ ca: [...authorities] });
  contexts.set(authorities, context);
  return context;
}

function connectTls(socket: Socket, { host }: HostAndPort, network: CallbackNetwork): Promise<tls.TLSSocket> {
  const secured = tls.connect({
    socket,
    secureContext: contextWith(network.authorities ?? trustedAuthorities()),
    ALPNProtocols: ['http/1.1'],
    // RFC 6066, 3 forbids an IP address as server name. With `host`, Node still checks that the certificate matches the address.
    ...(isIP(host) === 0 ? { servername: host } : { host }),
  });
  return waitForConnect(secured, 'secureConnect');
}

function post(
  callback: CallbackRequest,
  url: URL,
  { options, headers }: ReceiverRequestOptions,
): Promise<ReceiverResponse> {
  const request = http.request({
    ...options,
    method: 'POST',
    headers: ['Host', url.host, ...headersOf(callback), ...headers],
  });
  return new Promise((resolve, reject) => {
    request.on('error', reject);
    request.on('response', (response) => {
      const { statusCode: status = 0, headers: answered } = response;
      void discard(response).then(() => {
        resolve({ status, retryAfter: answered['retry-after'] });
        request.destroy();
      });
    });
    request.end(callback.body);
  });
}

/** Returns the headers, in alternation with their names (https://github.com/standard-webhooks/standard-webhooks). */
function headersOf({ id, body, secret, userAgent }: CallbackRequest): string[] {
  const now = new Date();
  return [
    'Content-Type',
    'application/json; charset=utf-8',
    'Content-Length',
    String(Buffer.byteLength(body)),
    'User-Agent',
    userAgent,
    'Connection',
    'close',
    'webhook-id',
    id,
    'webhook-timestamp',
    String(Math.floor(now.getTime() / 1000)),
    'webhook-signature',
    new Webhook(secret).sign(id, now, body),
  ];
}

/** Resolves when the body has ended, is longer than the limit, or has broken off: only the status counts. */
async function discard(response: IncomingMessage): Promise<void> {
  let bytes = 0;
  try {
    for await (const part of response) {
      bytes += (part as Buffer).length;
      if (bytes > maxResponseBytes) return;
    }
  } catch {
    // The receiver closed the connection before the end of its response.
  }
}

function resultOf({ status, retryAfter }: ReceiverResponse): CallbackResult {
  if (status >= 200 && status < 300) return { kind: 'delivered' };
  if (status === 410) return { kind: 'gone' };
  const result = failed(
    status >= 300 && status < 400
      ? `the receiver answered with the redirect ${status}, and redirects are not followed; use the final address as callback_url`
      : `the receiver answered with status ${status}`,
  );
  const retryAfterMs = retryAfter === undefined ? undefined : readRetryAfter(retryAfter);
  return retryAfterMs === undefined ? result : { ...result, retryAfterMs };
}

/** Reads seconds or an HTTP date (RFC 9110, 10.2.3). Returns milliseconds from now, or undefined for other text. */
function readRetryAfter(text: string): number | undefined {
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000;
  const time = Date.parse(text);
  return Number.isNaN(time) ? undefined : Math.max(0, time - Date.now());
}

function failed(problem: string) {
  return { kind: 'failed', problem } as const;
}

/** The exact reason of a refusal appears only in the service log: in a response it would let callers scan ports. */
function describeProblem(problem: unknown): string {
  if (problem instanceof RefusedError) return 'the network policy refuses the address of the receiver';
  if (!(problem instanceof Error)) return 'the request failed';
  const code = 'code' in problem ? String(problem.code) : '';
  return problemsByCode[code] ?? (code === '' ? problem.message : `the request failed with ${code}`);
}

const problemsByCode: Readonly<Record<string, string>> = {
  ENOTFOUND: 'the name of the receiver cannot be resolved',
  EAI_AGAIN: 'the name of the receiver cannot be resolved at the moment',
  ECONNREFUSED: 'the receiver refused the connection',
  ECONNRESET: 'the receiver closed the connection without an answer',
  ETIMEDOUT: 'the receiver cannot be reached',
  EHOSTUNREACH: 'the receiver cannot be reached',
  ENETUNREACH: 'the receiver cannot be reached',
};
