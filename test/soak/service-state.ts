/** Reads the metrics and the job records of the service. */
import { setTimeout as wait } from 'node:timers/promises';
import { readExposition } from '../support/service/exposition.ts';
import { get, listJobs, type ListedJob } from '../support/service/job-record.ts';
import type { ServiceConnection } from './caller.ts';

export interface ServiceState {
  /** The number of busy windows, queued jobs and inputs in preparation; 0 if the service is idle. */
  readonly busy: number;
  readonly windows: number;
  /** The number of timers, sockets, servers and other handles that keep the process alive, by type. */
  readonly resources: Readonly<Record<string, number>>;
  /** The JavaScript heap in use, and the external memory, in bytes. */
  readonly heap: number;
  readonly external: number;
  /** The credits of the calling account. */
  readonly credits: number;
}

export async function readServiceState(connection: ServiceConnection): Promise<ServiceState> {
  const answer = await get(connection, '/metrics', connection.authorization);
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

/** Longer than the job timeout. */
const idleTimeoutMs = 120_000;

/** Resolves when the service is idle. @throws Error if it does not become idle */
export async function waitUntilIdle(connection: ServiceConnection): Promise<ServiceState> {
  for (const began = performance.now(); performance.now() - began < idleTimeoutMs;) {
    const inside = await readServiceState(connection);
    if (inside.busy === 0) return inside;
    await wait(50);
  }
  throw new Error(`the service did not become idle within ${idleTimeoutMs / 1000} s`);
}

/** Returns all job records of the account. */
export async function listAllJobs({ authorization, ...service }: ServiceConnection): Promise<ListedJob[]> {
  const jobs: ListedJob[] = [];
  for (let before = ''; ;) {
    const page = await listJobs(service, authorization, `?limit=500${before}`);
    jobs.push(...page.jobs);
    if (page.next === null) return jobs;
    before = `&before=${page.next}`;
  }
}
