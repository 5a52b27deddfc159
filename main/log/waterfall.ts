/** Prepares requests for the waterfall chart: their order, their phases and their positions on the time axis. */
import { type LogEvent, type RequestDetail, eventsOf, requestFailures, type EventOf } from './events.ts';

type WaterfallRequest = EventOf<'request'>;

/** A part of a request. Times are in milliseconds since the job began. */
interface Phase {
  readonly from: number;
  readonly to: number;
  readonly name: 'connect' | 'wait' | 'receive' | 'failed';
}

/** Returns the requests in the order in which they began. The log contains them in the order in which they ended. */
export function requestsByBegin(events: readonly LogEvent[]): WaterfallRequest[] {
  return eventsOf(events, 'request').toSorted((left, right) => beganAt(left) - beganAt(right));
}

/** Returns when a request began, in milliseconds since the job began. */
export function beganAt({ at, took = 0, detail }: WaterfallRequest): number {
  return detail.began ?? Math.max(0, at - took);
}

/** Returns the known phases of a request; a single phase if none are known or the request failed. */
export function phasesOf(request: WaterfallRequest): Phase[] {
  const { took = 0, detail } = request;
  const from = beganAt(request);
  if (isProblem(detail)) return [{ from, to: from + took, name: 'failed' }];
  const { connect = 0, send = 0, wait = 0, receive = 0 } = detail.phases ?? {};
  const phases = [
    { name: 'connect', length: connect },
    { name: 'wait', length: send + wait },
    { name: 'receive', length: receive },
  ] as const;
  let position = from;
  const parts = phases
    .filter(({ length }) => length > 0)
    .map(({ name, length }) => ({ name, from: position, to: (position += length) }));
  return parts.length === 0 ? [{ from, to: from + took, name: 'receive' }] : parts;
}

/** Returns whether the request was blocked, failed or received an error status. */
export function isProblem({ blocked, failed, status = 0 }: RequestDetail): boolean {
  return blocked !== undefined || failed !== undefined || status >= 400;
}

/** Returns the status of the response, or `refused` or `failed` if there is no response. */
export function statusLabel({
  status,
  blocked,
  failed,
}: RequestDetail): number | 'refused' | 'failed' | undefined {
  if (status !== undefined && (blocked === undefined || status >= 400)) return status;
  if (blocked !== undefined) return 'refused';
  return failed === undefined ? undefined : 'failed';
}

/** Returns why a request failed, unless its error status explains it: Chromium then cancels the response. */
export function failureReason({ failed, status = 0 }: RequestDetail): string | undefined {
  return status >= 400 && failed === requestFailures.cancelled ? undefined : failed;
}

// Positions on the time axis, in percent of its length.

/** Minimum width of a bar, so that very short bars are visible. */
const minWidthPercent = 0.4;

/** Returns the position of a bar on an axis of `totalMs`, in percent. */
export function barPosition(from: number, to: number, totalMs: number): { start: number; width: number } {
  const width = Math.max(minWidthPercent, percent(to - from, totalMs));
  return { start: Math.min(percent(from, totalMs), 100 - width), width };
}

/** Returns the tick marks of the axis: three to eight multiples of 1, 2 or 5 times a power of ten, from 0. */
export function ticks(totalMs: number): number[] {
  if (totalMs <= 0) return [0];
  const power = 10 ** Math.floor(Math.log10(totalMs / 3));
  const step = [5, 2, 1].map((factor) => factor * power).find((size) => totalMs / size >= 3) ?? power;
  return Array.from({ length: Math.floor((totalMs / step) * 0.97) + 1 }, (_, index) => index * step);
}

/** Returns `value` as a percentage of `total`, limited to 0 to 100 and rounded to two decimals. */
export function percent(value: number, total: number): number {
  if (total <= 0) return 0;
  return Math.round(Math.min(100, Math.max(0, (value / total) * 100)) * 100) / 100;
}
