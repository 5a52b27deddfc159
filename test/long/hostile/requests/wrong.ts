/** What a hostile request is, and the pieces it is made of. */
import { basic } from '../../../support/job-record.ts';

export interface Wrong {
  readonly what: string;
  /** As it goes over the wire. */
  readonly request: string;
  /** Status and body. */
  readonly says: RegExp;
  /** 200 where it is only to do no harm. */
  readonly status?: 200;
}

export const shop = basic('shop');

/** With its length; `headers` may replace the usual ones. */
export function request(line: string, headers: readonly string[] = [], body = ''): string {
  const all = ['Host: x', 'Connection: close', `Content-Length: ${body.length}`, ...headers];
  return `${line} HTTP/1.1\r\n${all.join('\r\n')}\r\n\r\n${body}`;
}

export function post(type: string, body: string): string {
  return request('POST /convert/24.04/', [`Authorization: ${shop}`, `Content-Type: ${type}`], body);
}
