/**
 * Owns the worker thread a template is filled in, and its limits. Each job has a thread of its own from node:worker_threads,
 * not piscina's pool: nothing of one caller's template may be left for the next one's, a limit of memory is per thread, and
 * piscina wants files of its own beside the bundle. A thread starts in some 50 ms, which a pool would not save on long jobs.
 */
import { Worker } from 'node:worker_threads';
import { Failure } from '../../failure/failure.ts';
import type { Answer, Task, TemplateLimits, TemplateOptions } from './template.ts';

export interface TemplateRequest {
  readonly template: string;
  /** Taken as it is; the caller keeps it. */
  readonly data: Buffer;
  readonly options: TemplateOptions;
  readonly limits: TemplateLimits;
  readonly signal: AbortSignal;
  /** worker.ts, bundled. */
  readonly workerFile: string;
}

export interface FilledTemplate {
  readonly html: string;
  /** For the debug log: engine, format, values that were missing. */
  readonly notes: readonly string[];
}

/**
 * Fills the template with the data.
 * @throws Failure templateInvalid, naming line and column; and the signal's reason when it is aborted.
 */
export async function fillTemplate(request: TemplateRequest): Promise<FilledTemplate> {
  request.signal.throwIfAborted();
  const { template, data, options, limits } = request;
  if (data.length > limits.dataBytes)
    throw invalid(`The data has ${data.length} bytes; the limit is ${limits.dataBytes}.`);
  const worker = start(request.workerFile, { template, data, options, limits });
  try {
    return read(await answerOf(worker, request));
  } finally {
    await worker.terminate();
  }
}

/** Nothing of this process's environment, arguments or flags, and nowhere to write to. */
function start(workerFile: string, task: Task): Worker {
  return new Worker(workerFile, {
    workerData: task,
    env: {},
    argv: [],
    execArgv: [],
    stdin: false,
    stdout: true,
    stderr: true,
    resourceLimits: {
      maxOldGenerationSizeMb: Math.ceil(task.limits.memoryBytes / 1_000_000),
      maxYoungGenerationSizeMb: 32,
      stackSizeMb: 4,
    },
  });
}

/** The worker's answer, or the end of the patience with it. */
function answerOf(worker: Worker, { limits, signal }: TemplateRequest): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const late = () => {
      reject(invalid(`The template took longer than ${limits.seconds} s, which is the limit.`));
    };
    const timer = setTimeout(late, limits.seconds * 1000);
    const aborted = () => {
      reject(signal.reason as Error);
    };
    signal.addEventListener('abort', aborted);
    worker.on('message', resolve);
    worker.on('error', (error) => {
      reject(reasonOf(error, limits));
    });
    worker.on('exit', (code) => {
      clearTimeout(timer);
      signal.removeEventListener('abort', aborted);
      reject(new Error(`The template worker ended with code ${code} and without an answer.`));
    });
  });
}

function reasonOf(error: Error & { code?: string }, { memoryBytes }: TemplateLimits): Error {
  if (error.code !== 'ERR_WORKER_OUT_OF_MEMORY') return error;
  return invalid(
    `The template and its data need more than ${memoryBytes} bytes of memory, which is the limit.`,
  );
}

function read(answer: Answer): FilledTemplate {
  switch (answer.kind) {
    case 'filled':
      return { html: new TextDecoder().decode(answer.html), notes: answer.notes };
    case 'problem':
      throw invalid(shortened(answer.sentence));
    case 'fault':
      throw new Error('The template worker failed.', { cause: answer.stack });
  }
}

const mostSaid = 1000;

/** Names in it can be as long as the template or the data. */
function shortened(sentence: string): string {
  if (sentence.length <= mostSaid) return sentence;
  return `${sentence.slice(0, mostSaid / 2)} ... ${sentence.slice(-mostSaid / 2)}`;
}

function invalid(sentence: string): Failure {
  return new Failure('templateInvalid', sentence);
}
