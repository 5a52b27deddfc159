/** Records the responses to the callers, and compares them with the job records and the credits of the accounts. */
import { basic } from '../support/job-record.ts';
import type { Answer } from '../support/convert.ts';
import { readServiceState, listAllJobs } from './service-state.ts';
import type { ListedJob } from '../support/job-record.ts';

export const accounts = ['soak1', 'soak2', 'soak3', 'soak4'] as const;
export const credits = 1_000_000;

export interface Entry {
  readonly word: string;
  readonly account: string;
  /** Undefined if the caller disconnected before the response. */
  readonly answer: Pick<Answer, 'status' | 'headers'> | undefined;
}

export interface Balance {
  readonly problems: readonly string[];
  /** Jobs that were charged although their caller disconnected: the service had already sent the whole response. */
  readonly chargedUnread: number;
  readonly outcomes: Readonly<Record<string, number>>;
}

/** Compares all accounts while the service is idle. */
export async function compareWithRecords(url: string, entries: readonly Entry[]): Promise<Balance> {
  const found = await Promise.all(accounts.map((account) => compareAccount(url, account, entries)));
  const outcomes = found.flatMap(({ jobs }) => jobs.map(({ outcome }) => outcome ?? 'not ended'));
  return {
    problems: found.flatMap(({ problems }) => problems),
    chargedUnread: found.reduce((all, { chargedUnread }) => all + chargedUnread, 0),
    outcomes: Object.fromEntries(
      [...new Set(outcomes)].map((outcome) => [
        outcome,
        outcomes.filter((candidate) => candidate === outcome).length,
      ]),
    ),
  };
}

async function compareAccount(url: string, account: string, all: readonly Entry[]) {
  const connection = { url, authorization: basic(account) };
  const [jobs, { credits: left }] = [await listAllJobs(connection), await readServiceState(connection)];
  const entries = all.filter((entry) => entry.account === account);
  const byId = new Map(jobs.map((job) => [job.id, job]));
  const answered = entries.filter(({ answer }) => answer !== undefined);
  const ids = new Set(answered.map(idOf));
  const unread = jobs.filter(({ id }) => !ids.has(id));
  const spent = answered.reduce((sum, entry) => sum + creditsOf(entry), 0);
  const spentUnread = unread.reduce((sum, job) => sum + job.consumed_credits, 0);
  const foreignJobs = jobs.filter(({ tag }) => tag !== null && !entries.some(({ word }) => word === tag));
  const hungUp = entries.length - answered.length;
  const say = (wrong: boolean, sentence: string) => (wrong ? [`${account}: ${sentence}`] : []);
  return {
    jobs,
    chargedUnread: unread.filter((job) => job.consumed_credits > 0).length,
    problems: [
      ...answered.flatMap((entry) => differences(entry, byId.get(idOf(entry)))),
      ...unread.flatMap(unreadProblems),
      ...foreignJobs.map(
        ({ id, tag }) => `${account}: the record has ${id} of another account, ${String(tag)}`,
      ),
      // The service may never receive the request of a caller who disconnects immediately.
      ...say(
        unread.length > hungUp,
        `${unread.length} jobs without an answer, but only ${hungUp} callers disconnected`,
      ),
      ...say(ids.size !== answered.length, 'two answers have the same job id'),
      ...say(
        left !== credits - spent - spentUnread,
        `${left} credits left, of ${credits} less ${spent} + ${spentUnread}`,
      ),
    ],
  };
}

function idOf({ answer }: Entry): string {
  return answer?.headers.get('x-service-job-id') ?? '';
}

function creditsOf({ answer }: Entry): number {
  return Number(answer?.headers.get('x-service-consumed-credits') ?? 0);
}

function differences(entry: Entry, job: ListedJob | undefined): string[] {
  const { word, answer } = entry;
  if (job === undefined) return [`${word}: no job ${idOf(entry)} in the record`];
  const outcome = answer?.status === 200 ? 'converted' : 'failed';
  const fromAnswer = [outcome, answer?.status, creditsOf(entry)].join(' ');
  const recorded = [job.outcome, job.status, job.consumed_credits].join(' ');
  return fromAnswer === recorded
    ? []
    : [`${word}: the answer was ${fromAnswer}, the record says ${recorded}`];
}

/** The job was cancelled with its caller, or its response had been written to the socket before that. */
function unreadProblems({ id, tag, outcome, consumed_credits: charged }: ListedJob): string[] {
  const isExpected =
    outcome === 'caller gone' ? charged === 0 : outcome === 'converted' || outcome === 'failed';
  return isExpected
    ? []
    : [`${String(tag)} (${id}), whose caller disconnected: ${String(outcome)}, ${charged} credits`];
}
