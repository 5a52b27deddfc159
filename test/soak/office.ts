/** Sends each planned job, and collects the problems of the responses. */
import { basic } from '../support/job-record.ts';
import type { Answer } from '../support/convert.ts';
import type { Service } from '../support/service.ts';
import { aborted } from './aborted.ts';
import { call, type HangUp } from './caller.ts';
import type { Crashes } from './crashes.ts';
import type { Asked, Making } from './job.ts';
import { judge } from './judge.ts';
import { accounts, type Entry } from './ledger.ts';
import type { Planned } from './plan.ts';
import { pick, randomOfJob } from './random.ts';
import type { Web } from './web.ts';
import { colourOf, wordOf, wordsIn } from './words.ts';

export interface Tally {
  readonly problems: string[];
  /** Milliseconds of each answered job, by kind. */
  readonly took: Record<string, number[]>;
  readonly statuses: Record<string, number>;
  hungUp: number;
  crashing: number;
  killed: number;
  skipped: number;
}

export interface Office {
  /** Never rejects. */
  readonly serve: (planned: Planned) => Promise<Entry>;
  readonly tally: Tally;
}

interface OfficeOptions {
  readonly service: Pick<Service, 'url'>;
  readonly web: Web;
  readonly crashes: Crashes;
  readonly seed: number;
  /** Every second crash kills all renderers together. */
  readonly storm: boolean;
  readonly tell: (line: string) => void;
}

/** The maximum number of problems that are listed in full. */
const mostProblems = 100;

export function openOffice({ service, web, crashes, seed, storm, tell }: OfficeOptions): Office {
  const tally: Tally = {
    problems: [],
    took: {},
    statuses: {},
    hungUp: 0,
    crashing: 0,
    killed: 0,
    skipped: 0,
  };
  const waited = new Map<string, () => void>();
  web.onWait = (word) => waited.get(word)?.();
  const note = (job: Job, problems: readonly string[]) => {
    const { planned, making } = job;
    for (const problem of problems) {
      if (tally.problems.length >= mostProblems) return;
      const sentence = `${making.word} (${planned.sort}: ${planned.name}): ${problem}`;
      tally.problems.push(sentence);
      // Printed immediately, in case the run itself fails.
      tell(`so far: ${sentence}`);
    }
  };
  const serve = async (planned: Planned): Promise<Entry> => {
    const job = jobOf(planned, { seed, web, storm });
    const { asked, hangUp } = sendingOf(job, crashes, (word) => {
      return new Promise<void>((resolve) => waited.set(word, resolve));
    });
    if (planned.sort === 'crashing') tally.crashing += 1;
    const landed = crashes.fly(job.making.word);
    const began = performance.now();
    const sending = { url: service.url, authorization: basic(job.account) };
    const answer = await call(sending, asked, hangUp).catch((problem: unknown) => String(problem));
    landed();
    waited.delete(job.making.word);
    Object.assign(tally, { killed: crashes.killed(), skipped: crashes.skipped() });
    if (typeof answer === 'object') {
      (tally.took[planned.name] ??= []).push(performance.now() - began);
      note(job, await judgeAll(job, asked, answer));
    } else if (answer === undefined) tally.hungUp += 1;
    else note(job, [answer]);
    count(tally, answer);
    return {
      word: job.making.word,
      account: job.account,
      answer: typeof answer === 'object' ? answer : undefined,
    };
  };
  return {
    serve,
    tally,
  };
}

interface Job {
  readonly planned: Planned;
  readonly making: Making;
  readonly account: string;
  readonly storm: boolean;
}

function jobOf(planned: Planned, { seed, web, storm }: Pick<OfficeOptions, 'seed' | 'web' | 'storm'>): Job {
  const { number } = planned;
  const random = randomOfJob(seed, number);
  const making = {
    ...{ number, random, word: wordOf(number), colour: colourOf(number) },
    ...{ web: web.url, canary: web.canary },
  };
  return { planned, making, storm, account: pick(accounts, random) };
}

const shareOfLogs = 0.2;

function sendingOf(
  { planned: { sort, make, number }, making, storm }: Job,
  crashes: Crashes,
  waitFor: (word: string) => Promise<void>,
): { asked: Asked; hangUp?: HangUp } {
  const withTag = (asked: Asked): Asked => ({
    ...asked,
    fields: {
      ...asked.fields,
      tag: making.word,
      ...(sort !== 'crashing' && making.random() < shareOfLogs && { debug_log: true }),
    },
  });
  if (sort === 'crashing') return { asked: withTag(crashes.asked(making, storm && number % 2 === 0)) };
  if (sort !== 'aborted') return { asked: withTag(make(making)) };
  const { asked, hangUp } = aborted(making, make(making), waitFor);
  return { asked: withTag(asked), hangUp };
}

async function judgeAll({ planned, making }: Job, asked: Asked, answer: Answer): Promise<string[]> {
  // The job should have been aborted, but was answered; some of these jobs have no expected response.
  if (asked.expected.length === 0)
    return [`it was answered ${answer.status} although its image never loaded`];
  const problems = await judge(answer, making.word, asked.expected);
  const link = answer.headers.get('x-service-debug-log');
  const logged = asked.fields.debug_log === true && asked.raw === undefined;
  if (!logged) return problems;
  return [...problems, ...(await judgeLog(link, making.word)).map((one) => `${one} (${planned.name})`)];
}

async function judgeLog(link: string | null, word: string): Promise<string[]> {
  if (link === null) return ['it has no debug log'];
  const answer = await fetch(link, { headers: { accept: 'application/json', connection: 'close' } });
  const words = wordsIn(await answer.text());
  if (answer.status !== 200 || !words.includes(word))
    return [`the response for its debug log is ${answer.status}, or another job's log`];
  return words.filter((one) => one !== word).map((one) => `ISOLATION: ${one} is in its debug log`);
}

function count({ statuses }: Tally, answer: Answer | string | undefined): void {
  const code = typeof answer === 'object' ? codeOf(answer) : answer === undefined ? 'hung up' : 'none';
  statuses[code] = (statuses[code] ?? 0) + 1;
}

function codeOf({ status, body }: Answer): string {
  return status === 200 ? '200' : (body.toString('utf8', 0, 20).split(' ')[0] ?? '');
}
