/** Sends conversion requests over HTTP. */
import type { Service } from './service.ts';

/** The values by their names. An array is sent as several fields. */
export type Fields = Readonly<
  Record<string, string | number | boolean | Blob | readonly (string | number | boolean | Blob)[]>
>;

export interface ConversionResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Buffer;
}

export interface SendOptions {
  readonly query?: string;
  readonly authorization?: string;
  readonly signal?: AbortSignal;
  readonly path?: string;
}

export const demo = `Basic ${Buffer.from('demo:demo').toString('base64')}`;

/** Returns the fields as multipart/form-data; a Blob becomes a file part. */
export function formDataFor(fields: Fields): FormData {
  const form = new FormData();
  for (const [name, values] of Object.entries(fields))
    for (const value of [values].flat()) {
      if (value instanceof Blob) form.append(name, value, value instanceof File ? value.name : 'page.html');
      else form.append(name, String(value));
    }
  return form;
}

/** Posts the fields as multipart/form-data. */
export async function send(
  service: Pick<Service, 'url'>,
  fields: Fields,
  sending: SendOptions = {},
): Promise<ConversionResponse> {
  const form = formDataFor(fields);
  const response = await fetch(`${service.url}${sending.path ?? '/convert/24.04/'}${sending.query ?? ''}`, {
    method: 'POST',
    body: form,
    headers: { authorization: sending.authorization ?? demo },
    ...(sending.signal && { signal: sending.signal }),
  });
  return {
    status: response.status,
    headers: response.headers,
    body: Buffer.from(await response.arrayBuffer()),
  };
}

/**
 * Returns the bytes of the output. @throws Error with the body of the response if its status is not 200, and with the errors in the
 * service log after a fault of the service
 */
export async function convert(
  service: Pick<Service, 'url'> & Partial<Pick<Service, 'log'>>,
  fields: Fields,
): Promise<Buffer> {
  const { status, body } = await send(service, fields);
  if (status === 200) return body;
  const errors =
    status < 500 ? [] : (service.log?.() ?? '').split('\n').filter((line) => /"level":[56]0/.test(line));
  throw new Error([body.toString(), ...errors.slice(-3)].join('\n'));
}

/** Returns the body of the error response. @throws Error if the conversion succeeds */
export async function refusal(service: Pick<Service, 'url'>, fields: Fields): Promise<string> {
  const answer = await send(service, fields);
  if (answer.status === 200) throw new Error('the conversion was not refused');
  return answer.body.toString();
}

export function htmlFile(content: string | Uint8Array<ArrayBuffer>, name = 'page.html'): File {
  return new File([content], name);
}
