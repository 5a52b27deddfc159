/** A hostile request, and functions that build requests. */
import { basic } from '../../../support/service/job-record.ts';

export interface BadRequest {
  readonly what: string;
  /** The bytes of the request, one per character (Latin-1). */
  readonly request: string;
  /** Matches the status and the body of the response. */
  readonly expected: RegExp;
  /** 200 if the request may succeed; it must only be harmless. */
  readonly status?: 200;
}

export const shop = basic('shop');

/** Returns a request with a Content-Length. The `headers` follow the default headers. */
export function request(line: string, headers: readonly string[] = [], body = ''): string {
  const all = ['Host: x', 'Connection: close', `Content-Length: ${body.length}`, ...headers];
  return `${line} HTTP/1.1\r\n${all.join('\r\n')}\r\n\r\n${body}`;
}

export function post(type: string, body: string): string {
  return request('POST /convert/24.04/', [`Authorization: ${shop}`, `Content-Type: ${type}`], body);
}
