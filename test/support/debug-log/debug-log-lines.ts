/** Creates single events of a debug log. */
import type { LogEvent, NewEvent, RequestDetail } from '../../../main/log/events.ts';
import type { EventOf } from '../../../main/log/events.ts';

export function jobLine(id = '01JD8Q5T3Z', tag?: string): LogEvent {
  const versions = { platen: '0.1.0', electron: '33.2.1', chromium: '130.0.6723.137' };
  const detail = { account: 'office', received: '2026-11-21T15:08:46.120Z', versions };
  return { at: 0, kind: 'job', text: id, detail: { ...detail, ...(tag !== undefined && { tag }) } };
}

export function requestLine(text: string, detail: RequestDetail, took?: number): EventOf<'request'> {
  const at = (detail.began ?? 0) + (took ?? 0);
  return { at, kind: 'request', text, ...(took !== undefined && { took }), detail };
}

export function consoleLine(
  text: string,
  level: EventOf<'console'>['detail']['level'] = 'info',
  source = 'index.html',
): EventOf<'console'> {
  return { at: 40, kind: 'console', text, detail: { level, source, line: 12, column: 5 } };
}

/** `end`: when the stage ended, in milliseconds since the start of the job; `took`: its duration; `ended`: why it ended. */
export function stageLine(
  text: string,
  { end, took, ended }: { readonly end: number; readonly took: number; readonly ended?: string },
): LogEvent {
  return { at: end, kind: 'stage', text, took, detail: ended === undefined ? {} : { ended } };
}

export function at(time: number, event: NewEvent): LogEvent {
  return { at: time, ...event };
}
