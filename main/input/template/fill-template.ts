/**
 * Owns the process a template is filled in, and its limits. Each job has one of its own: nothing of one caller's template may
 * be left for the next one's, a limit of memory is per process, and it starts in some 50 ms.
 */
import type { Parcel } from '../../apart/errand.ts';
import { EndedApart, runApart, type Errand } from '../../apart/run-apart.ts';
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
  const { data, limits, signal } = request;
  signal.throwIfAborted();
  if (data.length > limits.dataBytes)
    throw invalid(`The data has ${data.length} bytes; the limit is ${limits.dataBytes}.`);
  try {
    return read(await runApart(errandOf(request), signal));
  } catch (problem) {
    throw problem instanceof EndedApart && problem.outOfMemory ? tooHungry(limits) : problem;
  }
}

function errandOf({ template, data, options, limits, workerFile: program }: TemplateRequest): Errand {
  const about: Omit<Task, 'data'> = { template, options, limits };
  const late = () => invalid(`The template took longer than ${limits.seconds} s, which is the limit.`);
  return { program, heap: limits.memoryBytes, time: limits.seconds * 1000, late, about, bytes: data };
}

function tooHungry({ memoryBytes }: TemplateLimits): Failure {
  return invalid(
    `The template and its data need more than ${memoryBytes} bytes of memory, which is the limit.`,
  );
}

function read({ about, bytes }: Parcel): FilledTemplate {
  const answer = about as Told;
  switch (answer.kind) {
    case 'filled':
      return { html: new TextDecoder().decode(bytes), notes: answer.notes };
    case 'problem':
      throw invalid(shortened(answer.sentence));
    case 'fault':
      throw new Error('The template program failed.', { cause: answer.stack });
  }
}

/** As it comes back: the document apart. */
type Told = Exclude<Answer, { kind: 'filled' }> | Omit<Extract<Answer, { kind: 'filled' }>, 'html'>;

const mostSaid = 1000;

/** Names in it can be as long as the template or the data. */
function shortened(sentence: string): string {
  if (sentence.length <= mostSaid) return sentence;
  return `${sentence.slice(0, mostSaid / 2)} ... ${sentence.slice(-mostSaid / 2)}`;
}

function invalid(sentence: string): Failure {
  return new Failure('templateInvalid', sentence);
}
