/** The first thing to be said of a job without a result: that it failed, why, and what would help; or that it has no end. */
import type { LogEvent } from '../events.ts';
import { summaryOf, type JobSummary } from '../job-summary.ts';
import { eventsOf } from '../select-events.ts';
import { adviceFor } from './failure-advice.ts';
import { finding, type Finding } from './finding.ts';
import { figure, short } from './phrases.ts';

/** `derived`: what is found besides, so that no advice is given twice. */
export function outcomeFindings(events: readonly LogEvent[], derived: readonly Finding[]): Finding[] {
  const { outcome, failure, took } = summaryOf(events);
  if (outcome === 'converted') return [];
  if (outcome === 'caller gone') return [finding('job-unfinished', hungUp(failure, took))];
  if (failure === undefined) return [finding('job-unfinished', cutOff(events, outcome))];
  const { say = '', options = [] } = adviceFor({ failure, events, derived });
  const parts = [short(failure.text, 500), stageOf(failure), say];
  return [finding('job-failed', parts.filter((part) => part !== '').join(' '), { options })];
}

/** How the log of a run says that whoever had started it thought better of it. */
export const cancelled = 'The run was cancelled.';

type Failed = NonNullable<JobSummary['failure']>;

/** Unless the sentence itself says it; before the first stage nothing but the request was looked at. */
function stageOf({ text, detail: { stage } }: Failed): string {
  if (namesStage(text) || stage === 'start') return '';
  return `It failed in the stage “${short(stage)}”.`;
}

/** Whether a failure's own sentence says in which stage it was. */
export function namesStage(text: string): boolean {
  return /\bin the stage "/.test(text);
}

function hungUp(failure: JobSummary['failure'], took: number): string {
  const stage = failure?.detail.stage ?? 'start';
  const where = stage === 'start' ? '' : `, in the stage “${short(stage)}”`;
  if (failure?.text === cancelled)
    return `It was cancelled after ${figure(Math.round(took))} ms${where}; nothing is charged.`;
  return `The caller hung up after ${figure(Math.round(took))} ms${where}, so nothing was delivered. Let the client wait longer, or see below what took so long.`;
}

/** Stages are written as they end, so the one under way is not known. */
function cutOff(events: readonly LogEvent[], outcome: JobSummary['outcome']): string {
  if (outcome === 'failed') return 'The job failed, and its log does not say why.';
  const last = eventsOf(events, 'stage').at(-1);
  const reached =
    last === undefined
      ? 'No stage of it had ended.'
      : `The last stage that ended is “${short(last.text)}”, after ${figure(Math.round(last.at))} ms.`;
  return `This log has no end: the job is still running, or it ended together with the service. ${reached}`;
}
