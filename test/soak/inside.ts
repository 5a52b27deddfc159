/** What the service tells of its own inside: its metrics, its record of jobs. */
import { setTimeout as wait } from 'node:timers/promises';
import { readExposition } from '../support/exposition.ts';
import { get, listed, type ListedJob } from '../support/job-record.ts';
import type { Sending } from './caller.ts';

export interface Inside {
  /** Windows at work, jobs that wait, inputs that are prepared: 0 when the service is idle. */
  readonly busy: number;
  readonly windows: number;
  /** Timers, sockets, servers and the like that keep the process going, by type. */
  readonly resources: Readonly<Record<string, number>>;
  /** Bytes of JavaScript's own memory in use, and of what it holds outside. */
  readonly heap: number;
  readonly external: number;
  /** Of the asking account. */
  readonly credits: number;
}

export async function lookInside(asking: Sending): Promise<Inside> {
  const answer = await get(asking, '/metrics', asking.authorization);
  const { sum, samples } = readExposition(await answer.text());
  const resources = samples
    .filter(({ name }) => name === 'nodejs_active_resources')
    .map(({ labels, value }) => [labels.type ?? '', value] as const);
  const working = sum('platen_windows', { state: 'working' });
  return {
    busy: working + sum('platen_queue_length') + sum('platen_preparations'),
    windows: working + sum('platen_windows', { state: 'idle' }),
    resources: Object.fromEntries(resources),
    heap: sum('nodejs_heap_size_used_bytes'),
    external: sum('nodejs_external_memory_bytes'),
    credits: sum('platen_credits_remaining'),
  };
}

/** Longer than any job may last. */
const idlePatience = 120_000;

/** Resolves when nothing is under way. @throws Error when something is for ever */
export async function untilIdle(asking: Sending): Promise<Inside> {
  for (const began = performance.now(); performance.now() - began < idlePatience;) {
    const inside = await lookInside(asking);
    if (inside.busy === 0) return inside;
    await wait(50);
  }
  throw new Error(`the service was not idle ${idlePatience / 1000} s after its last answer`);
}

/** The whole record of the account. */
export async function recordOf({ authorization, ...service }: Sending): Promise<ListedJob[]> {
  const jobs: ListedJob[] = [];
  for (let before = ''; ;) {
    const page = await listed(service, authorization, `?limit=500${before}`);
    jobs.push(...page.jobs);
    if (page.next === null) return jobs;
    before = `&before=${page.next}`;
  }
}
