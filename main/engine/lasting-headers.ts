/**
 * Headers by which a server would have the browser remember something beyond the job, where nothing forgets it: Electron can
 * clear neither HSTS nor what Chromium is to report later.
 */
import type { ResponseHeaders } from './request-rules.ts';

/** The headers without those; undefined: there are none. */
export function withoutLasting(headers: ResponseHeaders): ResponseHeaders | undefined {
  const names = Object.keys(headers);
  const kept = names.filter((name) => !lasting.has(name.toLowerCase()));
  if (kept.length === names.length) return undefined;
  return Object.fromEntries(kept.map((name) => [name, headers[name] ?? []]));
}

const lasting: ReadonlySet<string> = new Set([
  'strict-transport-security', // RFC 6797
  'public-key-pins', // RFC 7469
  'expect-ct', // RFC 9163
  'alt-svc', // RFC 7838
  'nel', // W3C Network Error Logging
  'report-to',
  'reporting-endpoints', // W3C Reporting
  'use-as-dictionary', // RFC 9842
]);
