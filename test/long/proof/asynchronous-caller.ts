/** A caller of asynchronous jobs: repeats a request until it is answered, and reads the output. */
import { setTimeout as pause } from 'node:timers/promises';
import { creditsOf, isUnavailable, sendRequest, type ReceivedAnswer, type SentRequest } from './caller.ts';
import { problemOf, type ProofJob } from './jobs.ts';

export interface AcceptedJob {
  readonly job: ProofJob;
  readonly id: string;
}

const retryPauseMs = 500;
/** Longer than any fault, and than the queue of all accepted jobs. */
const patienceMs = 240_000;

/** Submits a job. Returns its id, what is wrong with the answer, or neither if it was refused for a reason of its account or its form. */
export async function submit(
  url: string,
  job: ProofJob,
): Promise<{ readonly id?: string; readonly problem?: string }> {
  const answer = await repeat(url, {
    method: 'POST',
    path: '/jobs',
    account: job.account,
    form: job.form,
    headers: { 'idempotency-key': job.token },
  });
  if (answer.status !== 202) {
    const problem = problemOf(job, answer);
    return problem === undefined ? {} : { problem: `submission: ${problem}` };
  }
  const { id } = JSON.parse(answer.body.toString()) as { readonly id: string };
  if (job.giveUpAfterMs !== undefined) {
    await pause(job.giveUpAfterMs);
    await repeat(url, { method: 'DELETE', path: `/jobs/${id}`, account: job.account });
  }
  return { id };
}

/** Waits for the end of an accepted job and reads its output. Returns the credits of the output, and what is wrong. */
export async function readOutput(
  url: string,
  { job, id }: AcceptedJob,
): Promise<{ readonly credits: number; readonly problem?: string }> {
  const state = await waitForEnd(url, { job, id });
  if (state === undefined) return { credits: 0, problem: 'has not ended' };
  if (job.giveUpAfterMs !== undefined) return { credits: 0 };
  const path = `/jobs/${id}/output`;
  const answer = await repeat(url, { method: 'GET', path, account: job.account });
  const problem = problemOf(job, answer);
  return { credits: creditsOf(answer), ...(problem !== undefined && { problem: `${state}: ${problem}` }) };
}

async function waitForEnd(url: string, { job, id }: AcceptedJob): Promise<string | undefined> {
  const end = performance.now() + patienceMs;
  while (performance.now() < end) {
    const answer = await sendRequest(url, { method: 'GET', path: `/jobs/${id}`, account: job.account });
    if (answer.status === 200) {
      const { state } = JSON.parse(answer.body.toString()) as { readonly state: string };
      if (state !== 'queued' && state !== 'running') return state;
    }
    await pause(retryPauseMs);
  }
  return undefined;
}

/** Repeats a request until a node has answered it. */
async function repeat(url: string, sent: SentRequest): Promise<ReceivedAnswer> {
  const end = performance.now() + patienceMs;
  for (;;) {
    const answer = await sendRequest(url, sent);
    if (!isUnavailable(answer) || performance.now() > end) return answer;
    await pause(retryPauseMs);
  }
}
