/** Compares the responses that the callers received with the job records and the credits of the accounts. */
import { basic } from '../support/service/job-record.ts';
import type { ConversionResponse } from '../support/service/convert.ts';
import { readServiceState, listAllJobs } from './service-state.ts';
import type { ListedJob } from '../support/service/job-record.ts';

export const accounts = ['soak1', 'soak2', 'soak3', 'soak4'] as const;
export const credits = 1_000_000;

export interface LedgerEntry {
  readonly word: string;
  readonly account: string;
  /** Undefined if the caller disconnected before the response was complete, or there was none. */
  readonly answer: Pick<ConversionResponse, 'status' | 'headers'> | undefined;
}

export interface LedgerComparison {
  readonly problems: readonly string[];
  /** The number of jobs that were charged although their caller disconnected, because the service had already sent the response. */
  readonly chargedUnread: number;
  /** The number of jobs by the outcome in their records. */
  readonly outcomes: Readonly<Record<string, number>>;
}

/** Compares the records of all accounts. The service must be idle. */
export async function compareWithRecords(
  url: string,
  entries: readonly LedgerEntry[],
): Promise<LedgerComparison> {
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

async function compareAccount(url: string, account: string, all: readonly LedgerEntry[]) {
  const connection = { url, authorization: basic(account) };
  const jobs = await listAllJobs(connection);
  const { credits: left } = await readServiceState(connection);
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
        ({ id, tag }) => `${account}: the job record ${id} is of another account (${String(tag)})`,
      ),
      // Fewer are possible: the service may never receive the request of a caller who disconnects immediately.
      ...say(
        unread.length > hungUp,
        `${unread.length} jobs without a response, but only ${hungUp} callers disconnected`,
      ),
      ...say(ids.size !== answered.length, 'two responses have the same job id'),
      ...say(
        left !== credits - spent - spentUnread,
        `${left} credits are left, not ${credits} - ${spent} - ${spentUnread}`,
      ),
    ],
  };
}

function idOf({ answer }: LedgerEntry): string {
  return answer?.headers.get('x-service-job-id') ?? '';
}

function creditsOf({ answer }: LedgerEntry): number {
  return Number(answer?.headers.get('x-service-consumed-credits') ?? 0);
}

function differences(entry: LedgerEntry, job: ListedJob | undefined): string[] {
  const { word, answer } = entry;
  if (job === undefined) return [`${word}: there is no record of the job ${idOf(entry)}`];
  const outcome = answer?.status === 200 ? 'converted' : 'failed';
  const fromAnswer = [outcome, answer?.status, creditsOf(entry)].join(' ');
  const recorded = [job.outcome, job.status, job.consumed_credits].join(' ');
  return fromAnswer === recorded
    ? []
    : [`${word}: the response is ${fromAnswer}, but the job record is ${recorded}`];
}

/**
 * Returns the problems with the record of a job without a response. The job was cancelled when its caller disconnected, or the
 * response had already been written to the socket.
 */
function unreadProblems({ id, tag, outcome, consumed_credits: charged }: ListedJob): string[] {
  const isExpected =
    outcome === 'caller gone' ? charged === 0 : outcome === 'converted' || outcome === 'failed';
  return isExpected
    ? []
    : [`${String(tag)} (${id}), whose caller disconnected: ${String(outcome)}, ${charged} credits`];
}
