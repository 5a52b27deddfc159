/** A hostile request, and its building blocks. */
import { basic } from '../../../support/job-record.ts';

export interface BadRequest {
  readonly what: string;
  /** The raw bytes of the request. */
  readonly request: string;
  /** Matches status and body. */
  readonly expected: RegExp;
  /** 200 if the request is valid and must only be harmless. */
  readonly status?: 200;
}

export const shop = basic('shop');

/** Builds a request with its Content-Length; `headers` may replace the default ones. */
export function request(line: string, headers: readonly string[] = [], body = ''): string {
  const all = ['Host: x', 'Connection: close', `Content-Length: ${body.length}`, ...headers];
  return `${line} HTTP/1.1\r\n${all.join('\r\n')}\r\n\r\n${body}`;
}

export function post(type: string, body: string): string {
  return request('POST /convert/24.04/', [`Authorization: ${shop}`, `Content-Type: ${type}`], body);
}
