/** Summarises the log of a job: the account, the outcome, the sizes and the time. */
import { type EndEvent, type FailureEvent, type JobEvent, type LogEvent, lastOf, spanOf } from './events.ts';

export interface JobSummary {
  /** The job's id; empty if the log does not contain the `job` event. */
  readonly id: string;
  /** The data of the `job` event. */
  readonly jobDetail: JobEvent['detail'] | undefined;
  /** `unfinished`: the job is still running, or the service ended during the job. */
  readonly outcome: EndEvent['detail']['outcome'] | 'unfinished';
  readonly failure: Pick<FailureEvent, 'text' | 'detail'> | undefined;
  readonly bytes: number | undefined;
  readonly pages: number | undefined;
  /** Milliseconds from the beginning of the job to the last event. */
  readonly took: number;
}

export function summaryOf(events: readonly LogEvent[]): JobSummary {
  const job = lastOf(events, 'job');
  const end = lastOf(events, 'end');
  return {
    id: job?.text ?? '',
    jobDetail: job?.detail,
    outcome: end?.detail.outcome ?? 'unfinished',
    failure: lastOf(events, 'failure'),
    bytes: end?.detail.bytes,
    pages: end?.detail.pages,
    took: spanOf(events),
  };
}
