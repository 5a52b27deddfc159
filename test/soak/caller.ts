/** Sends a job as a caller does, over a connection of its own, and may hang up at any moment. */
import { request, type ClientRequest, type IncomingMessage } from 'node:http';
import type { Answer, Fields } from '../support/convert.ts';
import type { Asked } from './job.ts';

export interface Sending {
  /** Of the service. */
  readonly url: string;
  readonly authorization: string;
}

/** When to hang up. */
export interface HangUp {
  /** When this share of the body has been sent. */
  readonly upload?: number;
  /** Milliseconds after the body was sent. */
  readonly after?: number;
  /** As soon as the answer's first bytes are there. */
  readonly download?: boolean;
  readonly when?: Promise<void>;
}

/** Nobody waits longer for an answer: no limit of the service is. */
const patience = 180_000;

/** The whole answer; undefined when the caller hung up before he had it. @throws Error when the service did */
export async function call(sending: Sending, asked: Asked, hangUp?: HangUp): Promise<Answer | undefined> {
  const { type, body } = await bodyOf(asked);
  const headers = {
    authorization: sending.authorization,
    'content-type': type,
    'content-length': body.length,
  };
  const sent = request(`${sending.url}/convert/24.04/`, { method: 'POST', headers, agent: false });
  sent.setTimeout(patience, () => sent.destroy(new Error(`no answer within ${patience / 1000} s`)));
  const gone = new AbortController();
  const hang = () => {
    gone.abort();
    sent.destroy();
  };
  try {
    return await exchange(sent, { body, hangUp, hang });
  } catch (problem) {
    if (gone.signal.aborted) return undefined;
    throw problem;
  }
}

interface Exchange {
  readonly body: Buffer;
  readonly hangUp: HangUp | undefined;
  readonly hang: () => void;
}

function exchange(sent: ClientRequest, { body, hangUp, hang }: Exchange): Promise<Answer> {
  return new Promise((resolve, reject) => {
    sent.once('error', reject);
    sent.once('close', () => {
      reject(new Error('the connection was closed without a whole answer'));
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

async function read(response: IncomingMessage, hang: (() => void) | undefined): Promise<Answer> {
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
    throw new Error('the answer was broken off');
  return { status: response.statusCode ?? 0, headers, body };
}

async function bodyOf({ fields, raw }: Asked): Promise<{ type: string; body: Buffer }> {
  if (raw !== undefined) return raw;
  const whole = new Response(formOf(fields));
  return { type: whole.headers.get('content-type') ?? '', body: Buffer.from(await whole.arrayBuffer()) };
}

/** Multipart where there is a file, else as forms are sent, so that both kinds are read. */
function formOf(fields: Fields): FormData | URLSearchParams {
  const entries = Object.entries(fields);
  if (!entries.some(([, value]) => value instanceof Blob))
    return new URLSearchParams(entries.map(([name, value]) => [name, written(value)]));
  const form = new FormData();
  for (const [name, value] of entries) {
    if (value instanceof File) form.append(name, value, value.name);
    else form.append(name, written(value));
  }
  return form;
}

function written(value: Fields[string]): string {
  return value instanceof Blob ? '' : String(value);
}
