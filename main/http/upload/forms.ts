/**
 * Reads form bodies: long ones in a worker thread, short ones on the main thread. Decoding a field of 100 MB takes half a second,
 * during which the main thread could not respond to other requests.
 */
import { join } from 'node:path';
import { MessageChannel, type MessagePort } from 'node:worker_threads';
import type { Request, Response } from 'express';
import type { ReceivedForm } from '../../conversion/admission.ts';
import { Failure, toFailure } from '../../failure/failure.ts';
import { openThreadPool, type ThreadPool } from '../../async/threads.ts';
import type { FormAnswer, FormTask } from './form-worker.ts';
import { checkHeaders, receive, sendContinue, watchUpload, type ReceiveLimits } from './receive.ts';

export interface Forms extends AsyncDisposable {
  /** Starts the first thread before the first long form arrives. Never rejects. */
  readonly prepare: () => Promise<void>;
  /** Like `receive` in receive.ts, but stores long values of `text` and `data_string` in the folder. */
  readonly receive: (request: Request, response: Response, limits: ReceiveLimits) => Promise<ReceivedForm>;
}

const maxThreads = 2;
/** Bodies up to this size are read on the main thread, because a message to another thread would take longer. */
const minThreadBytes = 500_000;

/** `maxForms` is the maximum number of concurrent forms. A thread mostly waits for data, so it reads many forms concurrently. */
export function openForms(maxForms: number): Forms {
  const threads = openThreadPool<FormTask, FormAnswer>({
    filename: join(import.meta.dirname, 'form-worker.cjs'),
    // One thread starts early: tasks queued while a thread starts run one at a time (Tinypool 2.2.0).
    minThreads: 1,
    maxThreads,
    concurrentTasksPerWorker: maxForms,
  });
  return {
    prepare: threads.prepare,
    async receive(request, response, limits) {
      const { 'content-length': length = Infinity } = request.headers;
      if (Number(length) <= minThreadBytes || request.closed) return receive(request, response, limits);
      try {
        checkHeaders(request, limits);
        sendContinue(request, response);
        return receivedOf(await readInThread(threads, request, limits));
      } catch (problem) {
        return { form: { fields: [], files: [] }, problem: toFailure(problem) };
      }
    },
    async [Symbol.asyncDispose]() {
      await threads[Symbol.asyncDispose]();
    },
  };
}

async function readInThread(
  threads: ThreadPool<FormTask, FormAnswer>,
  request: Request,
  limits: ReceiveLimits,
): Promise<FormAnswer> {
  const { maxUpload, uploadTimeout: totalMs, share } = limits;
  const folder = limits.folder.path();
  using timeout = totalMs === undefined ? undefined : watchUpload(request, totalMs);
  const { port1, port2 } = new MessageChannel();
  const task: FormTask = { headers: request.headers, maxUpload, folder, port: port2 };
  const read = threads.run(task, { transferList: [port2] });
  const pump = pumpBody(request, port1, share);
  try {
    return await Promise.race([read, pump.refused, ...(timeout ? [timeout.expired] : [])]);
  } finally {
    pump.stop();
    port1.close();
  }
}

function receivedOf({ form, problem }: FormAnswer): ReceivedForm {
  if (problem === undefined) return { form };
  const { kind, message, retryAfter, cause } = problem;
  const details = { cause, ...(retryAfter !== undefined && { retryAfter }) };
  return { form, problem: new Failure(kind, message, details) };
}

interface StreamPump {
  /** Rejects when the body budget is exhausted. */
  readonly refused: Promise<never>;
  readonly stop: () => void;
}

/** Maximum number of chunks that the thread has received but not written to its parser. At this limit the request is paused. */
const maxPendingChunks = 32;

/** Sends the chunks of the body to the thread. */
function pumpBody(request: Request, port: MessagePort, share: ReceiveLimits['share']): StreamPump {
  let pendingChunks = 0;
  let refuse: (problem: unknown) => void = () => undefined;
  const refused = new Promise<never>((_, reject) => (refuse = reject));
  refused.catch(() => {});
  const onData = (chunk: Buffer<ArrayBuffer>) => {
    try {
      share.add(chunk.length);
    } catch (problem) {
      refuse(problem);
    }
    const bytes = withOwnBuffer(chunk);
    port.postMessage(bytes, [bytes.buffer]);
    pendingChunks += 1;
    if (pendingChunks >= maxPendingChunks) request.pause();
  };
  const onClose = () => {
    port.postMessage(request.complete ? 'complete' : 'aborted');
  };
  port.on('message', (message: number | 'written') => {
    if (message !== 'written') {
      share.release(message);
      return;
    }
    pendingChunks -= 1;
    if (pendingChunks < maxPendingChunks / 2 && request.isPaused()) request.resume();
  });
  request.on('data', onData).once('end', onClose).once('close', onClose).resume();
  return {
    refused,
    stop() {
      request.off('data', onData).off('end', onClose).off('close', onClose).pause();
    },
  };
}

/**
 * Returns the chunk with a buffer that can be transferred. Node's HTTP parser usually allocates one buffer per chunk; only then is
 * no copy needed.
 */
function withOwnBuffer(chunk: Buffer<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  return chunk.length === chunk.buffer.byteLength ? chunk : Uint8Array.from(chunk);
}
