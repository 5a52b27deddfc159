/** Reads, from the log of a running service, the requests that its network guard refuses. */
import { EventEmitter, on } from 'node:events';
import { createInterface } from 'node:readline';
import type { GuardRefusal } from '../../../main/network/resolve-target.ts';
import type { Service } from './service.ts';

export type RefusalMatcher = (refusal: GuardRefusal) => boolean;

export interface Refusals {
  readonly all: readonly GuardRefusal[];
  /** Resolves when a refusal matches, or if one already did; rejects when the signal is aborted. */
  readonly waitFor: (matches: RefusalMatcher, signal: AbortSignal) => Promise<void>;
}

/** The service must run with `--log-format json`. */
export function watchRefusals({ process }: Pick<Service, 'process'>): Refusals {
  const all: GuardRefusal[] = [];
  const emitter = new EventEmitter();
  emitter.setMaxListeners(0);
  if (process.stderr === null) throw new Error('no standard error');
  createInterface({ input: process.stderr }).on('line', (line) => {
    const refusal = line.includes('"refusal"')
      ? (JSON.parse(line) as { refusal: GuardRefusal }).refusal
      : undefined;
    if (refusal === undefined) return;
    all.push(refusal);
    emitter.emit('refusal', refusal);
  });
  return {
    all,
    async waitFor(matches, signal) {
      if (all.some(matches)) return;
      for await (const [refusal] of on(emitter, 'refusal', { signal }) as AsyncIterable<[GuardRefusal]>)
        if (matches(refusal)) return;
    },
  };
}
