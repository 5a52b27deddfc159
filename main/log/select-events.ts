/** Selects the events of one kind from a log, with their type. */
import type { LogEvent } from './events.ts';

export type EventOf<Kind extends LogEvent['kind']> = Extract<LogEvent, { readonly kind: Kind }>;

export function eventsOf<Kind extends LogEvent['kind']>(
  events: readonly LogEvent[],
  kind: Kind,
): EventOf<Kind>[] {
  return events.filter((event): event is EventOf<Kind> => event.kind === kind);
}

/** Returns the last event of a kind: if a job was repeated, the last attempt counts. */
export function lastOf<Kind extends LogEvent['kind']>(
  events: readonly LogEvent[],
  kind: Kind,
): EventOf<Kind> | undefined {
  return events.findLast((event): event is EventOf<Kind> => event.kind === kind);
}

/** Returns the milliseconds that the log covers. */
export function spanOf(events: readonly LogEvent[]): number {
  return events.reduce((longest, { at }) => Math.max(longest, at), 0);
}
