/** The files of asynchronous jobs: their uploads until they end, and their outputs until they expire. */
import type { Database } from '../../accounts/store/tables.ts';

/** An uploaded file of a job that is being submitted. */
export interface NewJobFile {
  /** The name among the files of the job. */
  readonly name: string;
  /** Returns the content, already encrypted. */
  readonly content: () => AsyncIterable<Uint8Array>;
}

/**
 * Stores files either in the database or in a folder. A stored file survives a crash of the service. The content is encrypted by those
 * who store it, and decrypted by those who read it.
 */
export interface JobFiles {
  /**
   * Stores the uploads of a job that is being created. Returns a function that completes this, to be called in the transaction that
   * creates the job. @throws the error of the disk or the database
   */
  readonly addUploads: (
    job: string,
    files: readonly NewJobFile[],
  ) => Promise<(transaction: Database) => Promise<void>>;
  /** Stores a file of a job that exists. @throws the error of the disk or the database; the file is then incomplete */
  readonly write: (job: string, name: string, content: AsyncIterable<Uint8Array>) => Promise<void>;
  /** Reads a file in parts of at most 1 MB. @throws Error if the file is missing */
  readonly read: (job: string, name: string) => AsyncIterable<Uint8Array>;
  /** Deletes the files of a job except one. @throws the error of the disk or the database */
  readonly remove: (job: string, except?: string) => Promise<void>;
  /** Deletes the files that a crash or a deleted account has left behind. */
  readonly sweep: () => Promise<void>;
}

/** The size of the parts in which files are stored and read, in bytes. */
export const partBytes = 1_000_000;

/** Divides content, because encrypting a large one in one step would block the service. */
export function* partsOf(bytes: Uint8Array): Iterable<Uint8Array> {
  for (let from = 0; from < bytes.length; from += partBytes) yield bytes.subarray(from, from + partBytes);
}

/** Returns the context in which a file is encrypted. */
export function fileContext(job: string, name: string): string {
  return `file ${name} of job ${job}`;
}

export function missingFile(job: string, name: string): Error {
  return new Error(`the file ${name} of job ${job} is missing`);
}
