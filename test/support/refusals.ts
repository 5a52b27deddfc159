/** Hears what the network guard of a running service refuses, from the service's own log. */
import { EventEmitter, on } from 'node:events';
import { createInterface } from 'node:readline';
import type { Refusal } from '../../main/network/admit.ts';
import type { Service } from './service.ts';

export type Wanted = (refusal: Refusal) => boolean;

export interface Refusals {
  readonly all: readonly Refusal[];
  /** Resolves at the first refusal that is wanted, past or to come; rejects with the signal. */
  readonly first: (wanted: Wanted, signal: AbortSignal) => Promise<void>;
}

/** The service is to be started with `--log-format json`. */
export function hearRefusals({ process }: Pick<Service, 'process'>): Refusals {
  const [all, news] = [[] as Refusal[], new EventEmitter()];
  news.setMaxListeners(0);
  if (process.stderr === null) throw new Error('no standard error');
  createInterface({ input: process.stderr }).on('line', (line) => {
    const refusal = line.includes('"refusal"')
      ? (JSON.parse(line) as { refusal: Refusal }).refusal
      : undefined;
    if (refusal === undefined) return;
    all.push(refusal);
    news.emit('refusal', refusal);
  });
  return {
    all,
    async first(wanted, signal) {
      if (all.some(wanted)) return;
      for await (const [refusal] of on(news, 'refusal', { signal }) as AsyncIterable<[Refusal]>)
        if (wanted(refusal)) return;
    },
  };
}
