/**
 * A chain of keys, one for each hour. Each key is computed from the one before, and never the other way round: who deletes the keys of
 * the past can still compute those to come, but can no longer decrypt what was encrypted before.
 */
import { createHmac } from 'node:crypto';

/** A key of the chain, from which all later ones follow. */
export interface ChainLink {
  /** Hours since 1970. */
  readonly epoch: number;
  readonly key: Buffer;
}

const epochMs = 3_600_000;

export function epochAt(time: number): number {
  return Math.floor(time / epochMs);
}

/** Clocks of nodes may differ, and a request may still be on its way to the database. */
const keptEpochs = 2;

/** Returns the first epoch whose key may still be used by a node that encrypts now. */
export function firstEpochInUse(now: number): number {
  return epochAt(now) - keptEpochs;
}

export class KeyChain {
  #oldest: ChainLink;
  /** The link that was computed last. */
  #newest: ChainLink;

  constructor(oldest: ChainLink) {
    this.#oldest = oldest;
    this.#newest = oldest;
  }

  get oldest(): ChainLink {
    return this.#oldest;
  }

  /** Returns the epoch of new values. A clock that was set back does not lead to a key that was deleted. */
  get currentEpoch(): number {
    return Math.max(this.#oldest.epoch, epochAt(Date.now()));
  }

  /** Returns undefined if the key was deleted. */
  keyOf(epoch: number): Buffer | undefined {
    if (!Number.isInteger(epoch) || epoch < this.#oldest.epoch || epoch > this.currentEpoch + maxAhead)
      return undefined;
    let link = epoch < this.#newest.epoch ? this.#oldest : this.#newest;
    while (link.epoch < epoch) link = { epoch: link.epoch + 1, key: nextKey(link.key) };
    if (epoch > this.#newest.epoch) this.#newest = link;
    return link.key;
  }

  /** Deletes the keys of earlier epochs. Returns whether there were any. */
  deleteBefore(epoch: number): boolean {
    const first = Math.min(epoch, this.currentEpoch);
    const key = this.keyOf(first);
    if (key === undefined || first === this.#oldest.epoch) return false;
    this.#oldest = { epoch: first, key };
    return true;
  }
}

/** No clock is so far ahead. It limits the work that a wrong number in the database can cause. */
const maxAhead = 24 * 366;

function nextKey(key: Buffer): Buffer {
  return createHmac('sha256', key).update('platen: key of the next hour').digest();
}
