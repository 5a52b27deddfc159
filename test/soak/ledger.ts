/** What the callers were told, job by job, and whether the record and the credits of the accounts say the same. */
import { basic } from '../support/job-record.ts';
import type { Answer } from '../support/convert.ts';
import { lookInside, recordOf } from './inside.ts';
import type { ListedJob } from '../support/job-record.ts';

export const accounts = ['soak1', 'soak2', 'soak3', 'soak4'] as const;
export const credits = 1_000_000;

export interface Entry {
  readonly word: string;
  readonly account: string;
  /** Undefined: the caller hung up before he had it. */
  readonly answer: Pick<Answer, 'status' | 'headers'> | undefined;
}

export interface Balance {
  readonly problems: readonly string[];
  /** Jobs whose caller had hung up, and that were charged all the same: the whole answer had left the service. */
  readonly chargedUnread: number;
  readonly outcomes: Readonly<Record<string, number>>;
}

/** Compares all accounts, when the service is idle. */
export async function compare(url: string, entries: readonly Entry[]): Promise<Balance> {
  const found = await Promise.all(accounts.map((account) => compareAccount(url, account, entries)));
  const outcomes = found.flatMap(({ jobs }) => jobs.map(({ outcome }) => outcome ?? 'not ended'));
  return {
    problems: found.flatMap(({ problems }) => problems),
    chargedUnread: found.reduce((all, { chargedUnread }) => all + chargedUnread, 0),
    outcomes: Object.fromEntries(
      [...new Set(outcomes)].map((one) => [one, outcomes.filter((other) => other === one).length]),
    ),
  };
}

async function compareAccount(url: string, account: string, all: readonly Entry[]) {
  const asking = { url, authorization: basic(account) };
  const [jobs, { credits: left }] = [await recordOf(asking), await lookInside(asking)];
  const entries = all.filter((entry) => entry.account === account);
  const byId = new Map(jobs.map((job) => [job.id, job]));
  const answered = entries.filter(({ answer }) => answer !== undefined);
  const ids = new Set(answered.map(idOf));
  const unread = jobs.filter(({ id }) => !ids.has(id));
  const spent = answered.reduce((sum, entry) => sum + creditsOf(entry), 0);
  const spentUnread = unread.reduce((sum, job) => sum + job.consumed_credits, 0);
  const others = jobs.filter(({ tag }) => tag !== null && !entries.some(({ word }) => word === tag));
  const hungUp = entries.length - answered.length;
  const say = (wrong: boolean, sentence: string) => (wrong ? [`${account}: ${sentence}`] : []);
  return {
    jobs,
    chargedUnread: unread.filter((job) => job.consumed_credits > 0).length,
    problems: [
      ...answered.flatMap((entry) => differences(entry, byId.get(idOf(entry)))),
      ...unread.flatMap(unreadProblems),
      ...others.map(({ id, tag }) => `${account}: the record has ${id} of another account, ${String(tag)}`),
      // Of a caller who hangs up at once the service may never hear.
      ...say(unread.length > hungUp, `${unread.length} jobs without an answer, of ${hungUp} that hung up`),
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
  const said = [outcome, answer?.status, creditsOf(entry)].join(' ');
  const recorded = [job.outcome, job.status, job.consumed_credits].join(' ');
  return said === recorded ? [] : [`${word}: the answer was ${said}, the record says ${recorded}`];
}

/** Either it ended with its caller, or its answer had gone to the system before that. */
function unreadProblems({ id, tag, outcome, consumed_credits: charged }: ListedJob): string[] {
  const right = outcome === 'caller gone' ? charged === 0 : outcome === 'converted' || outcome === 'failed';
  return right
    ? []
    : [`${String(tag)} (${id}), whose caller hung up: ${String(outcome)}, ${charged} credits`];
}
