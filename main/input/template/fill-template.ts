/**
 * Fills a template in a subprocess with limits. Each job has its own subprocess, because a memory limit applies to a whole process
 * and nothing of one template may be visible to the next. Starting a subprocess takes only about 50 ms.
 */
import {
  SubprocessExitError,
  runInSubprocess,
  type TaskMessage,
  type SubprocessTask,
} from '../../subprocess/run-in-subprocess.ts';
import { Failure } from '../../failure/failure.ts';

interface TemplateRequest {
  /** The bytes of the template, as the caller sent them. */
  readonly template: Buffer;
  /** The character set of a template that declares none. */
  readonly fallbackCharset?: string | undefined;
  /** The bytes of the data, as the caller sent them. */
  readonly data: Buffer;
  readonly options: TemplateOptions;
  readonly limits: TemplateLimits;
  readonly signal: AbortSignal;
  /** Path of the compiled worker.ts. */
  readonly scriptFile: string;
}

interface FilledTemplate {
  /** UTF-8. */
  readonly html: Buffer<ArrayBuffer>;
  /** Messages for the debug log: engine, data format, missing values. */
  readonly notes: readonly string[];
}

/**
 * Fills the template with the data.
 * @throws Failure dataInvalid, with line and column; the signal's reason if it is aborted; Error if the subprocess fails.
 */
export async function fillTemplate(request: TemplateRequest): Promise<FilledTemplate> {
  const { data, limits, signal } = request;
  signal.throwIfAborted();
  if (data.length > limits.dataBytes)
    throw invalid(`The data has ${data.length} bytes; the limit is ${limits.dataBytes}. Send less data.`);
  try {
    return readAnswer(await runInSubprocess(taskOf(request), signal));
  } catch (problem) {
    throw problem instanceof SubprocessExitError && problem.outOfMemory ? memoryExceeded(limits) : problem;
  }
}

function taskOf(request: TemplateRequest): SubprocessTask {
  const { template, fallbackCharset, data, options, limits, scriptFile: program } = request;
  const json: TemplateMessage = { templateLength: template.length, fallbackCharset, options, limits };
  const createTimeoutError = () =>
    invalid(
      `Filling the template takes longer than ${limits.seconds} s, the limit; simplify it or send less data.`,
    );
  return {
    program,
    heapBytes: limits.memoryBytes,
    keepsSpare: true,
    timeoutMs: limits.seconds * 1000,
    createTimeoutError,
    json,
    bytes: Buffer.concat([template, data]),
  };
}

function memoryExceeded({ memoryBytes }: TemplateLimits): Failure {
  return invalid(
    `The template and its data need more than ${memoryBytes} bytes of memory, the limit; send less data.`,
  );
}

function readAnswer({ json, bytes }: TaskMessage): FilledTemplate {
  const answer = json as AnswerWithoutHtml;
  switch (answer.kind) {
    case 'filled':
      return {
        html: Buffer.from(bytes.buffer as ArrayBuffer, bytes.byteOffset, bytes.byteLength),
        notes: answer.notes,
      };
    case 'problem':
      throw invalid(shortened(answer.message));
    case 'fault':
      throw new Error('The template subprocess failed.', { cause: answer.stack });
  }
}

/** A TemplateAnswer as the subprocess sends it: the HTML is sent separately, as bytes. */
type AnswerWithoutHtml =
  Exclude<TemplateAnswer, { kind: 'filled' }> | Omit<Extract<TemplateAnswer, { kind: 'filled' }>, 'html'>;

const maxLength = 1000;

/** Leaves out the middle of a long message: names in it can be as long as the template or the data. */
function shortened(message: string): string {
  if (message.length <= maxLength) return message;
  return `${message.slice(0, maxLength / 2)} ... ${message.slice(-maxLength / 2)}`;
}

function invalid(message: string): Failure {
  return new Failure('dataInvalid', message);
}

// The types that fill-template.ts, the subprocess and both template engines share.

export interface TemplateOptions {
  readonly template_engine: 'handlebars' | 'jinja' | 'auto';
  readonly data_format: DataFormat | 'auto';
  /** Any charset that browsers or iconv support. A byte order mark takes precedence. */
  readonly data_encoding: string;
  readonly data_ignore_undefined: boolean;
  /** Default: true for Handlebars, false for Jinja. */
  readonly data_auto_escape?: boolean;
  readonly data_trim_blocks: boolean;
  /** The markers of a variable in Jinja: `{{ }}`, `[[ ]]` or `<< >>`. */
  readonly data_variable_markers: VariableMarkers;
  /** Comma-separated `key=value`, with the keys csv_delimiter, xml_remove_root and data_root. */
  readonly data_options?: string;
  /** BCP 47 tag that determines the format of dates and numbers. */
  readonly locale: string;
}

export type VariableMarkers = 'standard' | 'square' | 'angle';

export type DataFormat = 'json' | 'xml' | 'yaml' | 'csv';

export interface TemplateLimits {
  /** Timeout of the subprocess. */
  readonly seconds: number;
  /** Heap limit of the subprocess. */
  readonly memoryBytes: number;
  readonly outputBytes: number;
  readonly dataBytes: number;
}

/** The memory is 10 times the output limit and 31 times the data limit, so that no single value can exhaust the heap. */
export const defaultLimits: TemplateLimits = {
  seconds: 20,
  memoryBytes: 1_000_000_000,
  outputBytes: 100_000_000,
  dataBytes: 32_000_000,
};

/**
 * The JSON that the subprocess receives; the bytes are those of the template and of the data. The subprocess decodes the template: in
 * some character sets, this takes almost a second.
 */
export interface TemplateMessage {
  /** In bytes. */
  readonly templateLength: number;
  readonly fallbackCharset: string | undefined;
  readonly options: TemplateOptions;
  readonly limits: TemplateLimits;
}

/** The input of both template engines. */
export interface TemplateTask {
  readonly template: string;
  readonly data: Uint8Array;
  readonly options: TemplateOptions;
  readonly limits: TemplateLimits;
}

/** The result of the subprocess. `html` is UTF-8. */
export type TemplateAnswer =
  | { readonly kind: 'filled'; readonly html: Uint8Array; readonly notes: readonly string[] }
  | { readonly kind: 'problem'; readonly message: string }
  | { readonly kind: 'fault'; readonly stack: string };
