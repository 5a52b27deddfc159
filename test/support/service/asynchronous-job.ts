/** Submits asynchronous jobs over HTTP, and reads and cancels them. */
import assert from 'node:assert/strict';
import { waitUntil } from '../wait-until.ts';
import { formDataFor, type Fields } from './convert.ts';
import { get, type ListedJob } from './job-record.ts';
import type { Service } from './service.ts';

type Url = Pick<Service, 'url'>;

type JobCaller = readonly [service: Url, authorization: string];

/** Sends POST /jobs. `key`: the header Idempotency-Key. */
export function submit(
  ...[service, authorization, fields, { key } = {}]: [
    ...JobCaller,
    fields: Fields,
    options?: { key?: string },
  ]
): Promise<Response> {
  return fetch(`${service.url}/jobs`, {
    method: 'POST',
    body: formDataFor(fields),
    headers: { authorization, ...(key !== undefined && { 'idempotency-key': key }) },
  });
}

/** Submits a job and returns its id. @throws AssertionError with the body of the response if the job is refused */
export async function submitted(service: Url, authorization: string, fields: Fields): Promise<string> {
  const response = await submit(service, authorization, fields);
  const text = await response.text();
  assert.equal(response.status, 202, text);
  return (JSON.parse(text) as { id: string }).id;
}

export async function readJob(service: Url, authorization: string, id: string): Promise<ListedJob> {
  const response = await get(service, `/jobs/${id}`, authorization);
  assert.equal(response.status, 200);
  return (await response.json()) as ListedJob;
}

/** Polls the job until it is in one of the states, and resolves with it. */
export async function waitForState(
  service: Url,
  authorization: string,
  { id, states }: { readonly id: string; readonly states: readonly ListedJob['state'][] },
): Promise<ListedJob> {
  let job: ListedJob | undefined;
  await waitUntil(`job ${id} is ${states.join(' or ')}`, async () => {
    job = await readJob(service, authorization, id);
    return states.includes(job.state);
  });
  assert.ok(job);
  return job;
}

/** Polls the job until it has ended, and resolves with it. */
export function waitForEnd(service: Url, authorization: string, id: string): Promise<ListedJob> {
  return waitForState(service, authorization, { id, states: ['done', 'failed', 'canceled'] });
}

export function output(service: Url, authorization: string, id: string): Promise<Response> {
  return get(service, `/jobs/${id}/output`, authorization);
}

export function remove(service: Url, authorization: string, id: string): Promise<Response> {
  return fetch(`${service.url}/jobs/${id}`, { method: 'DELETE', headers: { authorization } });
}
