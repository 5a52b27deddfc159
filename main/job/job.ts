/** A Job (a validated request for a conversion) and a Run (a job in progress). */
import { randomBytes } from 'node:crypto';
import type { StoredText, Upload } from './option-kinds.ts';
import type { OptionName, Options } from './options.ts';
import type { DebugLog } from '../log/debug-log.ts';

/** A value as the caller sent it: the text of a field, or a file part. */
export type RawValue = string | Upload;

export type Input =
  | { readonly kind: 'url'; readonly url: URL }
  | { readonly kind: 'file'; readonly upload: Upload }
  | { readonly kind: 'text'; readonly html: string | StoredText };

/** A remark on the request, for the debug log. `code` identifies the kind of remark. */
export interface JobNote {
  readonly text: string;
  readonly code: 'ignored-input' | 'name-as-content' | 'option-without-effect' | 'older-option';
  /** The options that the note is about. */
  readonly options: readonly OptionName[];
}

export interface Job {
  /** Unique, sortable by time, safe in a header and a file name. */
  readonly id: string;
  /** Name of the account that is charged. */
  readonly account: string;
  readonly input: Input;
  readonly options: Options;
  /** The options in the request; all others have their defaults. */
  readonly givenOptions: ReadonlySet<OptionName>;
  /** The values of `givenOptions` as the caller sent them. */
  readonly rawValues: ReadonlyMap<OptionName, readonly RawValue[]>;
  readonly notes: readonly JobNote[];
}

/** Returns true if the output is an image. */
export function isImage(options: Options): boolean {
  return options.output_format !== 'pdf';
}

/** Returns the file name for Content-Disposition: the one in the request, or a fixed one that does not depend on the input. */
export function requestedName({
  output_name: requested,
  output_format: format,
}: Pick<Options, 'output_name' | 'output_format'>): string {
  return requested ?? (format === 'pdf' ? 'document.pdf' : `image.${format}`);
}

/** Returns 26 lower-case letters and digits: 10 for the time in milliseconds (base 36, so that ids sort), 16 random. */
export function newJobId(now = Date.now()): string {
  return `${now.toString(36).padStart(10, '0')}${randomBytes(8).toString('hex')}`;
}

/** Returns when a job id was made, in milliseconds since 1970. */
export function timeOfJobId(id: string): number {
  return Number.parseInt(id.slice(0, 10), 36);
}

/**
 * The folder of one job. It contains the uploads, the unpacked files, and files that conversion steps write. Most jobs need none, and
 * creating and deleting it takes a tenth of the time of a short job.
 */
export interface JobFolder {
  /**
   * Creates the folder at the first call. Returns its path.
   * @throws Failure unavailable if the folder cannot be created, whatever the reason
   */
  readonly path: () => string;
}

/** A conversion in progress. Everything that waits must use `signal`; explanations for the caller are written to `log`. */
export interface Run {
  readonly job: Job;
  readonly log: DebugLog;
  /** The job's folder, which is deleted when the job ends. */
  readonly folder: JobFolder;
  /** Aborted at the job timeout, when the caller disconnects, and on shutdown. The signal's reason is the error to throw. */
  readonly signal: AbortSignal;
}
