/** What is counted of jobs: how they ended, how long they and their stages took, what they cost. */
import { Counter, Histogram, type Registry } from 'prom-client';

/** A job whose answer is over, one way or another. */
export interface EndedJob {
  readonly account: string;
  readonly outcome: 'converted' | 'failed' | 'caller_gone';
  /** As in `x-service-reason-code`; 0 when it was converted, or nobody was there to be told. */
  readonly reason: number;
  /** Milliseconds from the request's arrival to the end of the answer. */
  readonly took: number;
  /** Milliseconds of each finished stage. */
  readonly stages: Readonly<Record<string, number>>;
  readonly credits: number;
}

/** From a line of text to the job limit, and beyond for slow uploads. */
const jobBuckets = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120];

const stageBuckets = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** Registers the metrics; what it gives back counts one job, in microseconds. */
export function countJobs(registry: Registry): (job: EndedJob) => void {
  const { jobs, durations, stages, credits } = jobMetrics([registry]);
  return ({ account, outcome, reason, took, stages: finished, credits: cost }) => {
    jobs.inc({ account, outcome, reason });
    durations.observe({ outcome }, took / 1000);
    for (const [stage, milliseconds] of Object.entries(finished))
      stages.observe({ stage }, milliseconds / 1000);
    if (cost > 0) credits.inc({ account }, cost);
  };
}

function jobMetrics(registers: Registry[]) {
  const jobs = new Counter({
    name: 'platen_jobs_total',
    help: 'Jobs that have ended, by outcome (converted, failed, caller_gone) and reason code (0 where there is none).',
    labelNames: ['account', 'outcome', 'reason'],
    registers,
  });
  const durations = new Histogram({
    name: 'platen_job_duration_seconds',
    help: "Time from a request's arrival to the last byte of its answer.",
    labelNames: ['outcome'],
    buckets: jobBuckets,
    registers,
  });
  const stages = new Histogram({
    name: 'platen_stage_duration_seconds',
    help: 'Time a stage of a job took, by the names the debug log has for them.',
    labelNames: ['stage'],
    buckets: stageBuckets,
    registers,
  });
  const credits = new Counter({
    name: 'platen_credits_spent_total',
    help: 'Credits charged for answers that were sent.',
    labelNames: ['account'],
    registers,
  });
  return { jobs, durations, stages, credits };
}
