/**
 * An output goes to its caller, and is charged at its last byte: an answer that arrives whole is always charged, and one
 * that does not never is (docs/decisions/0014-charging.md).
 */
import type { Response } from 'express';
import type { JobEntry, Stages } from '../accounts/job-entry.ts';
import { toFailure } from '../failure/failure.ts';
import { unlessAborted } from '../signals.ts';
import { CallerGone } from '../conversion/caller-gone.ts';
import { setBrokenOff } from './locals.ts';

export interface Delivery {
  readonly bytes: Buffer;
  readonly entry: Pick<JobEntry, 'charge' | 'refund'>;
  readonly stages: Stages;
  /** Aborts when the caller hangs up. */
  readonly gone: AbortSignal;
  /** Called as the last byte goes out. */
  readonly onLastByte: () => void;
  /** Milliseconds for which a caller may take nothing. */
  readonly patience?: number;
}

const usualPatience = 60_000;

/**
 * Sends the body of an answer whose headers are set, and ends it.
 * @throws CallerGone when the caller hung up, or took nothing any more, before he had all of it; he is not charged then. Error
 *   when it cannot be charged; the answer is broken off then.
 */
export async function deliver(response: Response, delivery: Delivery): Promise<void> {
  const { bytes, entry, stages, onLastByte, patience = usualPatience } = delivery;
  const gone = AbortSignal.any([delivery.gone, stalled(response, patience)]);
  await unlessAborted(gone, handOver(response, bytes.subarray(0, -1)));
  gone.throwIfAborted();
  let delivered: Promise<boolean> | undefined;
  try {
    await entry.charge(stages, () => {
      onLastByte();
      delivered = end(response, bytes.subarray(-1));
    });
  } catch (problem) {
    // What has been sent must not look whole.
    setBrokenOff(response, toFailure(problem));
    response.destroy();
    throw problem;
  }
  if (await delivered) return;
  await entry.refund();
  gone.throwIfAborted();
  throw new CallerGone();
}

/** Aborts, and ends the connection, when the caller has taken nothing for so long. */
function stalled(response: Response, patience: number): AbortSignal {
  const controller = new AbortController();
  // Node begins anew whenever a part of what is waiting has gone out.
  response.setTimeout(patience, () => {
    controller.abort(new CallerGone(`The caller took nothing of the answer for ${patience / 1000} seconds.`));
    response.destroy();
  });
  return controller.signal;
}

/** Resolves when the operating system has taken the bytes. */
function handOver(response: Response, bytes: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    response.write(bytes, (problem) => {
      // What was pending on a connection that has been closed ends without a problem.
      if (problem || response.req.socket.destroyed) reject(new CallerGone());
      else resolve();
    });
  });
}

/** Sends the last byte, at once; whether the operating system has taken it. */
function end(response: Response, bytes: Buffer): Promise<boolean> {
  const { socket } = response.req;
  return new Promise((resolve) => {
    response.once('finish', () => {
      resolve(!socket.destroyed);
    });
    response.once('close', () => {
      resolve(false);
    });
    if (socket.destroyed) resolve(false);
    else response.end(bytes);
  });
}
