/**
 * Where long bodies are read: in a kept thread, because a field of a hundred megabytes is half a second of decoding, in
 * which nobody else would be answered. Short ones are read where they arrive.
 */
import { join } from 'node:path';
import { MessageChannel, type MessagePort } from 'node:worker_threads';
import type { Request, Response } from 'express';
import type { Received } from '../conversion/received.ts';
import { Failure, toFailure } from '../failure/failure.ts';
import { openThreads, type Threads } from '../threads.ts';
import type { FormAnswer, FormOrder } from './form-worker.ts';
import { inviteBody } from './invitation.ts';
import { checkHead, receive, type ReceiveLimits } from './receive.ts';
import { watchUpload } from './upload-patience.ts';

export interface Forms extends AsyncDisposable {
  /** Starts a thread ahead of the first long form. Never rejects. */
  readonly prepare: () => Promise<void>;
  /** As `receive`; long values of `text` and `data_string` are stored in the folder. */
  readonly receive: (request: Request, response: Response, limits: ReceiveLimits) => Promise<Received>;
}

const threads = 2;
/** Bytes; less is read in less time than another thread hears of it. */
const short = 500_000;

/** `most` at the same time: as many as there can be callers, because most of a thread's time is waiting for them. */
export function openForms(most: number): Forms {
  const reading = openThreads<FormOrder, FormAnswer>({
    filename: join(import.meta.dirname, 'form-worker.cjs'),
    // One is there before the first: what is queued while one starts, Tinypool 2.2.0 hands out one at a time, as others end.
    ...{ minThreads: 1, maxThreads: threads, concurrentTasksPerWorker: most },
  });
  return {
    prepare: reading.prepare,
    async receive(request, response, limits) {
      const { 'content-length': length = Infinity } = request.headers;
      if (Number(length) <= short || request.closed) return receive(request, response, limits);
      try {
        checkHead(request, limits);
        inviteBody(request, response);
        return receivedOf(await readElsewhere(reading, request, limits));
      } catch (problem) {
        return { form: { fields: [], files: [] }, problem: toFailure(problem) };
      }
    },
    async [Symbol.asyncDispose]() {
      await reading[Symbol.asyncDispose]();
    },
  };
}

async function readElsewhere(
  reading: Threads<FormOrder, FormAnswer>,
  request: Request,
  limits: ReceiveLimits,
): Promise<FormAnswer> {
  const { maxUpload, uploadTimeout: whole, folder, share } = limits;
  using patience = whole === undefined ? undefined : watchUpload(request, { whole });
  const { port1, port2 } = new MessageChannel();
  const order: FormOrder = { headers: request.headers, maxUpload, folder, port: port2 };
  const read = reading.run(order, { transferList: [port2] });
  const pumped = pump(request, port1, share);
  try {
    return await Promise.race([read, pumped.refused, ...(patience ? [patience.worn] : [])]);
  } finally {
    pumped.stop();
    port1.close();
  }
}

function receivedOf({ form, problem }: FormAnswer): Received {
  if (problem === undefined) return { form };
  const { kind, sentence, retryAfter, cause } = problem;
  const details = { cause, ...(retryAfter !== undefined && { retryAfter }) };
  return { form, problem: new Failure(kind, sentence, details) };
}

interface Pumped {
  /** Rejects when there is no room for what comes. */
  readonly refused: Promise<never>;
  readonly stop: () => void;
}

/** Chunks under way to the thread; then the caller waits. */
const mostUnderWay = 32;

function pump(request: Request, port: MessagePort, share: ReceiveLimits['share']): Pumped {
  let underWay = 0;
  let refuse: (problem: unknown) => void = () => undefined;
  const refused = new Promise<never>((_, reject) => (refuse = reject));
  refused.catch(() => {});
  const onData = (chunk: Buffer<ArrayBuffer>) => {
    try {
      share.add(chunk.length);
    } catch (problem) {
      refuse(problem);
    }
    const bytes = withOwnMemory(chunk);
    port.postMessage(bytes, [bytes.buffer]);
    underWay += 1;
    if (underWay >= mostUnderWay) request.pause();
  };
  const onClose = () => {
    port.postMessage(request.complete ? 'whole' : 'cut short');
  };
  port.on('message', (said: number | 'taken') => {
    if (said !== 'taken') {
      share.release(said);
      return;
    }
    underWay -= 1;
    if (underWay < mostUnderWay / 2 && request.isPaused()) request.resume();
  });
  request.on('data', onData).once('end', onClose).once('close', onClose).resume();
  return {
    refused,
    stop() {
      request.off('data', onData).off('end', onClose).off('close', onClose).pause();
    },
  };
}

/** To be given away. Node's HTTP parser makes each chunk a memory of its own, which nobody reads after us. */
function withOwnMemory(chunk: Buffer<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  return chunk.length === chunk.buffer.byteLength ? chunk : Uint8Array.from(chunk);
}
