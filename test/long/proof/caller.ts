/** Sends requests through the load balancer, and keeps what arrived of an answer whose connection broke. */
import { request, type IncomingHttpHeaders } from 'node:http';

export interface ReceivedAnswer {
  /** 0 if the connection broke before the headers arrived. */
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  /** Whether the whole body arrived. */
  readonly isComplete: boolean;
}

export interface SentRequest {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly path: string;
  readonly account: string;
  readonly form?: FormData;
  readonly headers?: Readonly<Record<string, string>>;
  /** Closes the connection after this time. */
  readonly disconnectAfterMs?: number;
}

/** Longer than the time-outs of the load balancer. */
const timeoutMs = 180_000;

/** Sends a request on a new connection. Never rejects. */
export async function sendRequest(url: string, sent: SentRequest): Promise<ReceivedAnswer> {
  const form = sent.form && new Response(sent.form);
  const body = form && Buffer.from(await form.arrayBuffer());
  const headers = {
    authorization: `Basic ${Buffer.from(`${sent.account}:key`).toString('base64')}`,
    ...(form && { 'content-type': form.headers.get('content-type') ?? '' }),
    ...(body && { 'content-length': String(body.length) }),
    ...sent.headers,
  };
  return await new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let status = 0;
    let received: IncomingHttpHeaders = {};
    const finish = (isComplete: boolean) => {
      clearTimeout(timer);
      resolve({ status, headers: received, body: Buffer.concat(chunks), isComplete });
    };
    const outgoing = request(`${url}${sent.path}`, { method: sent.method, headers, agent: false });
    const timer = setTimeout(() => outgoing.destroy(), sent.disconnectAfterMs ?? timeoutMs);
    outgoing.once('error', () => {
      finish(false);
    });
    outgoing.once('response', (response) => {
      status = response.statusCode ?? 0;
      received = response.headers;
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.once('error', () => {});
      response.once('close', () => {
        finish(response.complete);
      });
    });
    outgoing.end(body);
  });
}

/** Returns the reason code of the service; undefined if the load balancer answered, or there was no answer. */
export function reasonOf({ headers }: ReceivedAnswer): number | undefined {
  const reason = headers['x-service-reason-code'];
  return typeof reason === 'string' ? Number(reason) : undefined;
}

export function creditsOf({ headers }: ReceivedAnswer): number {
  return Number(headers['x-service-consumed-credits'] ?? 0);
}

/** Whether an answer means that the job was not taken, or that its outcome is unknown: the service or the balancer is unavailable. */
export function isUnavailable(answer: ReceivedAnswer): boolean {
  if (answer.status === 0 || !answer.isComplete) return true;
  const reason = reasonOf(answer);
  return reason === undefined ? [502, 503, 504].includes(answer.status) : reason === 503;
}
