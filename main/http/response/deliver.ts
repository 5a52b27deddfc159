/**
 * Sends an output to the caller and charges the account just before the last byte: a complete response is always charged, a partial
 * one never (docs/decisions/0014-charging.md).
 */
import type { Response } from 'express';
import type { JobEntry } from '../../accounts/ledger/job-entry.ts';
import type { Stages } from '../../accounts/ledger/ledger.ts';
import { toFailure } from '../../failure/failure.ts';
import { unlessAborted } from '../../async/signals.ts';
import { setUnsentFailure } from '../server/locals.ts';
import { disconnection } from './respond.ts';

export interface Delivery {
  readonly bytes: Buffer;
  readonly entry: Pick<JobEntry, 'charge' | 'refund'>;
  readonly stages: Stages;
  /** Aborts when the caller disconnects or stops reading. */
  readonly callerDisconnected: AbortSignal;
  /** Called immediately before the last byte is sent. */
  readonly onLastByte: () => void;
}

/**
 * Sends the body of a response whose headers are set, and ends the response.
 * @throws CallerDisconnected if the caller disconnects or stops reading before the end; the caller is not charged. Error if
 * charging fails; the response then ends incomplete.
 */
export async function deliver(response: Response, delivery: Delivery): Promise<void> {
  const { bytes, entry, stages, onLastByte, callerDisconnected: gone } = delivery;
  await unlessAborted(gone, writeBytes(response, bytes.subarray(0, -1)));
  gone.throwIfAborted();
  let delivered: Promise<boolean> | undefined;
  try {
    await entry.charge(stages, () => {
      onLastByte();
      delivered = sendLastByte(response, bytes.subarray(-1));
    });
  } catch (problem) {
    // The partial response must not look complete.
    setUnsentFailure(response, toFailure(problem));
    response.destroy();
    throw problem;
  }
  if (await delivered) return;
  await entry.refund();
  gone.throwIfAborted();
  throw disconnection(response.req.socket);
}

/** Bytes that are written in one step: TLS encrypts them on the main thread, which takes about 5 ms. */
const writtenSlice = 4_000_000;

/** Resolves when the operating system has accepted the bytes. @throws CallerDisconnected */
async function writeBytes(response: Response, bytes: Buffer): Promise<void> {
  for (let from = 0; from === 0 || from < bytes.length; from += writtenSlice)
    await writeSlice(response, bytes.subarray(from, from + writtenSlice));
}

function writeSlice(response: Response, bytes: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    response.write(bytes, (problem) => {
      // Pending writes complete without an error when the connection closes.
      if (problem || response.req.socket.destroyed) reject(disconnection(response.req.socket));
      else resolve();
    });
  });
}

/** Sends the last byte. Returns whether the operating system has accepted it. */
function sendLastByte(response: Response, bytes: Buffer): Promise<boolean> {
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
