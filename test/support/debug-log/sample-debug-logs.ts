/** Sample debug logs for tests of the log page and its findings. */
import type { LogEvent } from '../../../main/log/events.ts';
import { at, consoleLine, jobLine, requestLine, stageLine } from './debug-log-lines.ts';
import { completeLog } from './complete-debug-log.ts';

/** A job without findings. */
export function cleanLog(): LogEvent[] {
  return [
    jobLine(),
    stageLine('prepare input', { end: 1.2, took: 1 }),
    stageLine('load the page', { end: 14, took: 12.5, ended: 'load event came' }),
    stageLine('print', { end: 30, took: 15.6 }),
    at(31, { kind: 'end', text: 'converted', detail: { outcome: 'converted', bytes: 8120, pages: 1 } }),
  ];
}

export function failedLog(): LogEvent[] {
  const hop = (from: string, to: string, index: number) =>
    requestLine(
      `https://shop.example/${from}`,
      { type: 'Document', began: 10 + index * 9, status: 302, redirected: `https://shop.example/${to}` },
      8,
    );
  return [
    jobLine(),
    ...Array.from({ length: 20 }, (_, index) =>
      index % 2 === 0 ? hop('login', 'home', index) : hop('home', 'login', index),
    ),
    requestLine(
      'https://shop.example/login',
      { type: 'Document', began: 190, failed: 'redirected too often' },
      8,
    ),
    stageLine('load the page', { end: 200, took: 192 }),
    ...failureEvents(321, 'The page could not be loaded: it redirects in a circle.'),
  ];
}

/** The last events of a failed job. */
export function failureEvents(reason: number, text: string, stage = 'load the page'): LogEvent[] {
  return [
    at(201, { kind: 'failure', text, detail: { status: 400, reason, stage } }),
    at(202, { kind: 'end', text: 'failed', detail: { outcome: 'failed' } }),
  ];
}

/** A log without its last events, as if the service had been killed. */
export function crashedLog(): LogEvent[] {
  return completeLog().slice(0, 9);
}

/** A complete log in which the given text replaces every string that can come from a page or a request. */
export function hostileLog(text: string): LogEvent[] {
  const replaced = JSON.stringify(completeLog(), (key, value: unknown) =>
    typeof value === 'string' && !platenValues.has(key) ? text : value,
  );
  return JSON.parse(replaced) as LogEvent[];
}

/** The keys whose values Platen itself chooses, from closed lists. */
const platenValues = new Set([
  'kind',
  'outcome',
  'level',
  'from',
  'declared',
  'problem',
  'side',
  'media',
  'code',
  'input',
]);

/** A log as long as a page can make it, with 5000 requests and 5000 console messages. */
export function hugeLog(): LogEvent[] {
  const requests = Array.from({ length: 5000 }, (_, index) =>
    requestLine(
      `https://cdn.example/tiles/${index}/a-rather-long-name-of-a-file-as-bundlers-make-them.4f1a9c.js?v=${index}`,
      {
        type: 'Script',
        began: index,
        status: index % 7 === 0 ? 404 : 200,
        mime: 'text/javascript',
        bytes: 1200,
        from: 'network',
        initiator: 'index.html:12',
        phases: { connect: 1, send: 1, wait: 20, receive: 4 },
        responseHeaders: [{ name: 'content-type', value: 'text/javascript' }],
      },
      26,
    ),
  );
  const lines = Array.from({ length: 5000 }, (_, index) =>
    consoleLine(
      `Uncaught Error: part ${index} ${'did not come '.repeat(20)}`,
      index % 2 ? 'exception' : 'info',
    ),
  );
  return [jobLine(), ...requests, ...lines, ...completeLog().slice(1)];
}
