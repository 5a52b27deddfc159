/** Sends a job over a separate connection, which the caller can close at any moment. */
import { request, type ClientRequest, type IncomingMessage } from 'node:http';
import type { ConversionResponse, Fields } from '../support/service/convert.ts';
import type { JobRequest } from './job.ts';

export interface ServiceConnection {
  /** The URL of the service. */
  readonly url: string;
  readonly authorization: string;
}

/** The moment at which the caller disconnects. */
export interface HangUp {
  /** After this fraction of the body is sent. */
  readonly upload?: number;
  /** This many milliseconds after the request was started. */
  readonly after?: number;
  /** When the first bytes of the response arrive. */
  readonly download?: boolean;
  /** When the promise resolves. */
  readonly when?: Promise<void>;
}

/** Longer than every timeout of the service. */
const timeoutMs = 180_000;

/**
 * Returns the complete response; undefined if the caller disconnects first.
 * @throws Error if the connection fails, the response is incomplete, or there is no response within the timeout
 */
export async function sendJob(
  sending: ServiceConnection,
  asking: JobRequest,
  hangUp?: HangUp,
): Promise<ConversionResponse | undefined> {
  const { type, body } = await bodyOf(asking);
  const headers = {
    authorization: sending.authorization,
    'content-type': type,
    'content-length': body.length,
  };
  const sent = request(`${sending.url}/convert/24.04/`, { method: 'POST', headers, agent: false });
  sent.setTimeout(timeoutMs, () => sent.destroy(new Error(`no response within ${timeoutMs / 1000} s`)));
  const controller = new AbortController();
  const disconnect = () => {
    controller.abort();
    sent.destroy();
  };
  try {
    return await exchange(sent, { body, hangUp, hang: disconnect });
  } catch (problem) {
    if (controller.signal.aborted) return undefined;
    throw problem;
  }
}

function exchange(
  sent: ClientRequest,
  {
    body,
    hangUp,
    hang,
  }: { readonly body: Buffer; readonly hangUp: HangUp | undefined; readonly hang: () => void },
): Promise<ConversionResponse> {
  return new Promise((resolve, reject) => {
    sent.once('error', reject);
    sent.once('close', () => {
      reject(new Error('the connection was closed before the response was complete'));
    });
    sent.once('response', (response) => {
      read(response, hangUp?.download === true ? hang : undefined).then(resolve, reject);
    });
    if (hangUp?.upload !== undefined)
      sent.write(body.subarray(0, Math.max(1, body.length * hangUp.upload)), hang);
    else sent.end(body);
    if (hangUp?.after !== undefined) setTimeout(hang, hangUp.after);
    void hangUp?.when?.then(hang);
  });
}

async function read(response: IncomingMessage, hang: (() => void) | undefined): Promise<ConversionResponse> {
  const parts: Buffer[] = [];
  for await (const part of response) {
    parts.push(part as Buffer);
    hang?.();
  }
  const headers = new Headers(
    Object.entries(response.headers).map(([name, value]): [string, string] => [name, String(value)]),
  );
  const body = Buffer.concat(parts);
  const length = headers.get('content-length');
  if (!response.complete || (length !== null && Number(length) !== body.length))
    throw new Error('the response is incomplete');
  return { status: response.statusCode ?? 0, headers, body };
}

async function bodyOf({ fields, raw }: JobRequest): Promise<{ type: string; body: Buffer }> {
  if (raw !== undefined) return raw;
  const encoded = new Response(formOf(fields));
  return { type: encoded.headers.get('content-type') ?? '', body: Buffer.from(await encoded.arrayBuffer()) };
}

/** Returns a multipart body for fields with a file, and otherwise a urlencoded one, so that both formats are used. */
function formOf(fields: Fields): FormData | URLSearchParams {
  const entries = Object.entries(fields).flatMap(([name, values]) =>
    [values].flat().map((value) => [name, value] as const),
  );
  if (!entries.some(([, value]) => value instanceof Blob))
    return new URLSearchParams(entries.map(([name, value]) => [name, written(value)]));
  const form = new FormData();
  for (const [name, value] of entries) {
    if (value instanceof File) form.append(name, value, value.name);
    else form.append(name, written(value));
  }
  return form;
}

function written(value: string | number | boolean | Blob): string {
  return value instanceof Blob ? '' : String(value);
}
