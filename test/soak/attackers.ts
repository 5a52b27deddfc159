/**
 * Two more accounts, one of them without credits, that attack the service while the others convert: small requests that once stopped
 * it, documents that react to the options of later jobs, and requests that hardly arrive.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { earlierDocuments } from '../support/hostile/reacting-documents.ts';
import { smallRequests } from '../support/hostile/small-requests.ts';
import { send, type Fields } from '../support/service/convert.ts';
import { basic } from '../support/service/job-record.ts';
import type { Service } from '../support/service/service.ts';
import { sendSlowRequests } from '../support/service/slow-requests.ts';
import { credits } from './ledger.ts';
import { pick, randomOf } from './random.ts';
import { spyMark, spyPath, type Web } from './web.ts';

/** Their credits, by name. */
export const attackers = { attacker1: credits, attacker2: 0 } as const;

export interface SoakAttack {
  /** Attacks until `ended` settles, and returns its result when the last requests are answered. */
  readonly during: <T>(ended: Promise<T>) => Promise<T>;
  /** The number of requests by the status of the response. */
  readonly statuses: Readonly<Record<string, number>>;
  readonly problems: readonly string[];
}

/** Longer than the wait for a window behind the jobs of the other accounts. */
const timeoutMs = 120_000;
const slowRequests = 100;
/** Between two requests of an attacker, because the attackers share the processors with the service. */
const pauseMs = 200;

export function openAttack(service: Service, web: Web, seed: number): SoakAttack {
  const requests = attacks(web);
  const statuses: Record<string, number> = {};
  const problems: string[] = [];
  const random = randomOf(seed);
  const attackOnce = async (account: string) => {
    const [name, { fields, path }] = pick(requests, random);
    const sending = { path, authorization: basic(account), signal: AbortSignal.timeout(timeoutMs) };
    const status = await send(service, fields, sending).then(
      (answer) => answer.status,
      (problem: unknown) => String(problem),
    );
    statuses[status] = (statuses[status] ?? 0) + 1;
    if (typeof status === 'string' || status >= 500) problems.push(`${account}, ${name}: ${status}`);
  };
  const during = async <T>(ended: Promise<T>): Promise<T> => {
    let isOver = false;
    using _slow = await sendSlowRequests(service, slowRequests, { kept: slowRequests, account: 'attacker1' });
    const loops = Object.keys(attackers).map(async (account) => {
      while (!isOver) {
        await attackOnce(account);
        await wait(pauseMs);
      }
    });
    try {
      return await ended;
    } finally {
      isOver = true;
      await Promise.all(loops);
    }
  };
  return { during, statuses, problems };
}

interface AttackRequest {
  readonly fields: Fields;
  readonly path: string;
}

/** Small requests as jobs of both kinds, and documents that would send requests during a later job. */
function attacks(web: Web): [string, AttackRequest][] {
  const documents = Object.entries(earlierDocuments(spyMark, (name) => `${web.url}${spyPath}${name}`));
  const small = Object.entries(smallRequests);
  return [
    ...small,
    ...small.map(([name, { fields }]): [string, AttackRequest] => [
      `${name}, asynchronous`,
      { fields, path: '/jobs' },
    ]),
    ...documents.map(([name, { fields }]): [string, AttackRequest] => [
      name,
      { fields, path: '/convert/24.04/' },
    ]),
  ];
}
