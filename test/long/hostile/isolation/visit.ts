/** Converts pages of the site, one after another or in parallel. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { send, type ConversionResponse, type Fields } from '../../../support/service/convert.ts';
import type { Service } from '../../../support/service/service.ts';
import type { Site } from './site.ts';

export interface IsolationContext {
  readonly service: Service;
  readonly site: Site;
}

export interface Visit {
  /** The result of the script as JSON. */
  readonly found: string;
  readonly answer: ConversionResponse;
}

/** Converts a page of the site that runs the script. */
export async function visit(
  { service, site }: IsolationContext,
  script: string,
  more: Fields = {},
): Promise<Visit> {
  const id = randomUUID();
  const answer = await send(service, requestOf(site.page(id, script), more));
  assert.equal(answer.status, 200, answer.body.toString());
  return { found: site.found(id), answer };
}

/**
 * Calls `run` while a page that has run the script is still open. Resolves with the results of the script (`held`) and of `run`.
 */
export async function during<T>(
  { service, site }: IsolationContext,
  script: string,
  run: () => Promise<T>,
): Promise<{ readonly held: string; readonly result: T }> {
  const id = randomUUID();
  const { held, release } = site.hold(id);
  const sent = send(service, requestOf(site.page(id, script), {}));
  const early = sent.then(({ body }) => {
    throw new Error(`the page was not held: ${body.toString().slice(0, 200)}`);
  });
  early.catch(() => undefined);
  try {
    await Promise.race([held, early]);
    return { result: await run(), held: site.found(id) };
  } finally {
    release();
    assert.equal((await sent).status, 200);
  }
}

function requestOf(url: string, more: Fields): Fields {
  return { url, wait_for_element: '#over', javascript_delay: 0, ...more };
}
