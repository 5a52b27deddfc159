/** Sends planned jobs, and collects the problems with their responses. */
import { basic } from '../support/service/job-record.ts';
import type { ConversionResponse } from '../support/service/convert.ts';
import type { Service } from '../support/service/service.ts';
import { abortJob } from './aborted.ts';
import { sendJob, type HangUp } from './caller.ts';
import type { Crashes } from './crashes.ts';
import type { JobRequest, JobInputs } from './job.ts';
import { checkResponse } from './check-response.ts';
import { accounts, type LedgerEntry } from './ledger.ts';
import type { PlannedJob } from './plan.ts';
import { pick, randomOfJob } from './random.ts';
import type { Web } from './web.ts';
import { colourOf, wordOf, wordsIn } from './job-markers.ts';

export interface SoakTally {
  readonly problems: string[];
  /** The duration of each job with a response in milliseconds, by the name of the job. */
  readonly took: Record<string, number[]>;
  /** The number of jobs by the code of the response; `disconnected` and `none` are jobs without a response. */
  readonly statuses: Record<string, number>;
  /** The number of jobs whose caller disconnected before the response was complete. */
  hungUp: number;
  /** The number of jobs whose renderer should be killed. */
  crashing: number;
  /** `killed` and `skipped` of Crashes. */
  killed: number;
  skipped: number;
}

export interface JobRunner {
  /** Sends a job and checks its response. Never rejects. */
  readonly run: (planned: PlannedJob) => Promise<LedgerEntry>;
  readonly tally: SoakTally;
}

interface JobRunnerOptions {
  readonly service: Pick<Service, 'url'>;
  readonly web: Web;
  readonly crashes: Crashes;
  readonly seed: number;
  /** Every second crash kills all renderers together. */
  readonly storm: boolean;
  readonly print: (line: string) => void;
}

/** The maximum number of problems that are recorded. */
const maxProblems = 100;

export function openJobRunner({ service, web, crashes, seed, storm, print }: JobRunnerOptions): JobRunner {
  const tally: SoakTally = {
    problems: [],
    took: {},
    statuses: {},
    hungUp: 0,
    crashing: 0,
    killed: 0,
    skipped: 0,
  };
  const onWaitByWord = new Map<string, () => void>();
  web.onWait = (word) => onWaitByWord.get(word)?.();
  const addProblems = (job: SoakJob, problems: readonly string[]) => {
    const { planned, making } = job;
    for (const problem of problems) {
      if (tally.problems.length >= maxProblems) return;
      const sentence = `${making.word} (${planned.category}: ${planned.name}): ${problem}`;
      tally.problems.push(sentence);
      // Printed immediately, in case the run fails before its end.
      print(`so far: ${sentence}`);
    }
  };
  const run = async (planned: PlannedJob): Promise<LedgerEntry> => {
    const job = jobOf(planned, { seed, web, storm });
    const { request, hangUp } = requestOf(job, crashes, (word) => {
      return new Promise<void>((resolve) => onWaitByWord.set(word, resolve));
    });
    if (planned.category === 'crashing') tally.crashing += 1;
    const stopTracking = crashes.track(job.making.word);
    const began = performance.now();
    const sending = { url: service.url, authorization: basic(job.account) };
    const answer = await sendJob(sending, request, hangUp).catch((problem: unknown) => String(problem));
    stopTracking();
    onWaitByWord.delete(job.making.word);
    Object.assign(tally, { killed: crashes.killed(), skipped: crashes.skipped() });
    if (typeof answer === 'object') {
      (tally.took[planned.name] ??= []).push(performance.now() - began);
      addProblems(job, await checkAll(job, request, answer));
    } else if (answer === undefined) tally.hungUp += 1;
    else addProblems(job, [answer]);
    count(tally, answer);
    return {
      word: job.making.word,
      account: job.account,
      answer: typeof answer === 'object' ? answer : undefined,
    };
  };
  return {
    run,
    tally,
  };
}

interface SoakJob {
  readonly planned: PlannedJob;
  readonly making: JobInputs;
  readonly account: string;
  readonly storm: boolean;
}

function jobOf(
  planned: PlannedJob,
  { seed, web, storm }: Pick<JobRunnerOptions, 'seed' | 'web' | 'storm'>,
): SoakJob {
  const { number } = planned;
  const random = randomOfJob(seed, number);
  const making = {
    number,
    random,
    word: wordOf(number),
    colour: colourOf(number),
    web: web.url,
    canary: web.canary,
  };
  return { planned, making, storm, account: pick(accounts, random) };
}

const debugLogShare = 0.2;

function requestOf(
  { planned: { category, make, number }, making, storm }: SoakJob,
  crashes: Crashes,
  waitFor: (word: string) => Promise<void>,
): { request: JobRequest; hangUp?: HangUp } {
  const withTag = (request: JobRequest): JobRequest => ({
    ...request,
    fields: {
      ...request.fields,
      tag: making.word,
      ...(category !== 'crashing' && making.random() < debugLogShare && { debug_log: true }),
    },
  });
  if (category === 'crashing')
    return { request: withTag(crashes.makeJob(making, storm && number % 2 === 0)) };
  if (category !== 'aborted') return { request: withTag(make(making)) };
  const { request, hangUp } = abortJob(making, make(making), waitFor);
  return { request: withTag(request), hangUp };
}

async function checkAll(
  { planned, making }: SoakJob,
  request: JobRequest,
  answer: ConversionResponse,
): Promise<string[]> {
  // The caller should have disconnected while the page waits for an image that never arrives, so no response is correct.
  if (request.expected.length === 0)
    return [`the response is ${answer.status} although the image of the page never loaded`];
  const problems = await checkResponse(answer, making.word, request.expected);
  const link = answer.headers.get('x-service-debug-log');
  const logged = request.fields.debug_log === true && request.raw === undefined;
  if (!logged) return problems;
  return [
    ...problems,
    ...(await checkDebugLog(link, making.word)).map((problem) => `${problem} (${planned.name})`),
  ];
}

async function checkDebugLog(link: string | null, word: string): Promise<string[]> {
  if (link === null) return ['the job has no debug log'];
  const answer = await fetch(link, { headers: { accept: 'application/json', connection: 'close' } });
  const words = wordsIn(await answer.text());
  if (answer.status !== 200 || !words.includes(word))
    return [`the response for the debug log has status ${answer.status}, or is the log of another job`];
  return words
    .filter((found) => found !== word)
    .map((found) => `ISOLATION: the word of another job, ${found}, is in the debug log`);
}

function count({ statuses }: SoakTally, answer: ConversionResponse | string | undefined): void {
  const code = typeof answer === 'object' ? codeOf(answer) : answer === undefined ? 'disconnected' : 'none';
  statuses[code] = (statuses[code] ?? 0) + 1;
}

function codeOf({ status, body }: ConversionResponse): string {
  return status === 200 ? '200' : (body.toString('utf8', 0, 20).split(' ')[0] ?? '');
}
