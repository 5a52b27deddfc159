/** What a log says of its job as a whole: whose it was, how it ended. */
import type { EndEvent, FailureEvent, JobEvent, LogEvent } from './events.ts';
import { lastOf, spanOf } from './select-events.ts';

export interface JobSummary {
  /** Empty when not even the first line was written. */
  readonly id: string;
  readonly about: JobEvent['detail'] | undefined;
  /** `unfinished`: under way, or ended with the service. */
  readonly outcome: EndEvent['detail']['outcome'] | 'unfinished';
  readonly failure: Pick<FailureEvent, 'text' | 'detail'> | undefined;
  readonly bytes: number | undefined;
  readonly pages: number | undefined;
  /** Milliseconds until the last line. */
  readonly took: number;
}

export function summaryOf(events: readonly LogEvent[]): JobSummary {
  const job = lastOf(events, 'job');
  const end = lastOf(events, 'end');
  return {
    id: job?.text ?? '',
    about: job?.detail,
    outcome: end?.detail.outcome ?? 'unfinished',
    failure: lastOf(events, 'failure'),
    bytes: end?.detail.bytes,
    pages: end?.detail.pages,
    took: spanOf(events),
  };
}
