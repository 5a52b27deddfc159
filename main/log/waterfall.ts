/** Requests as a waterfall shows them: in the order they began, and what each spent its time with. Pure. */
import type { LogEvent, RequestDetail } from './events.ts';
import { eventsOf, type EventOf } from './select-events.ts';

type Request = EventOf<'request'>;

/** Part of a request's time; milliseconds since the job began. */
export interface Phase {
  readonly from: number;
  readonly to: number;
  readonly what: 'connect' | 'wait' | 'receive' | 'failed';
}

/** Events are written as requests end; a waterfall is read as they begin. */
export function requestsByBegin(events: readonly LogEvent[]): Request[] {
  return eventsOf(events, 'request').toSorted((one, other) => beganAt(one) - beganAt(other));
}

/** Milliseconds since the job began. */
export function beganAt({ at, took = 0, detail }: Request): number {
  return detail.began ?? Math.max(0, at - took);
}

/** What is known of how a request spent its time; else one phase. */
export function phasesOf(request: Request): Phase[] {
  const { took = 0, detail } = request;
  const from = beganAt(request);
  if (isProblem(detail)) return [{ from, to: from + took, what: 'failed' }];
  const { connect = 0, send = 0, wait = 0, receive = 0 } = detail.phases ?? {};
  const known = [
    { what: 'connect', length: connect },
    { what: 'wait', length: send + wait },
    { what: 'receive', length: receive },
  ] as const;
  let now = from;
  const parts = known
    .filter(({ length }) => length > 0)
    .map(({ what, length }) => ({ what, from: now, to: (now += length) }));
  return parts.length === 0 ? [{ from, to: from + took, what: 'receive' }] : parts;
}

/** It was refused, failed, or was answered with an error. */
export function isProblem({ blocked, failed, status = 0 }: RequestDetail): boolean {
  return blocked !== undefined || failed !== undefined || status >= 400;
}

/** The status it was answered with, or that it was not. */
export function answerOf({
  status,
  blocked,
  failed,
}: RequestDetail): number | 'refused' | 'failed' | undefined {
  if (status !== undefined && (blocked === undefined || status >= 400)) return status;
  if (blocked !== undefined) return 'refused';
  return failed === undefined ? undefined : 'failed';
}

/** Why it failed, unless its status says so: Chromium calls off an answer it has no use for. */
export function faultOf({ failed, status = 0 }: RequestDetail): string | undefined {
  return status >= 400 && failed === 'called off' ? undefined : failed;
}
