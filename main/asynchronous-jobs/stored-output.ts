/** The output of an asynchronous job as its row describes it. The bytes are an encrypted file of the job. */
import type { Receipt } from '../accounts/ledger/credits.ts';
import { decryptParts, encryptParts } from '../encryption/cipher.ts';
import type { NoteFacts } from '../conversion/note-facts.ts';
import type { Keyring } from '../encryption/keyring.ts';
import { fileContext, type JobFiles } from './files/job-files.ts';

export interface StoredJobOutput extends NoteFacts {
  /** The name among the files of the job. */
  readonly file: string;
  /** The name of the key of the file (Keyring). The file is lost with it. */
  readonly key: string;
  /** Size in bytes. */
  readonly bytes: number;
  /** SHA-256 of the bytes, in base64. */
  readonly sha256: string;
  /** Media type. */
  readonly contentType: string;
  /** The file name for Content-Disposition. */
  readonly name: string;
  readonly disposition: 'inline' | 'attachment';
  readonly receipt: Receipt;
  /** Absent for an image and an archive. */
  readonly pages?: { readonly printed: number; readonly total: number };
}

/** The output of a batch whose documents are not merged: an archive of the outputs of its rows, which is made when it is read. */
export interface StoredArchive {
  readonly kind: 'archive';
}

/** Parses the column `output_headers`. */
export function readStoredOutput(json: string | null): StoredJobOutput | StoredArchive | undefined {
  return json === null ? undefined : (JSON.parse(json) as StoredJobOutput | StoredArchive);
}

/** Returns the file of an output; undefined if there is none. */
export function fileOfOutput(json: string | null): StoredJobOutput | undefined {
  const output = readStoredOutput(json);
  return output === undefined || 'kind' in output ? undefined : output;
}

interface OutputStorage {
  readonly files: JobFiles;
  readonly keyring: Keyring;
}

type OutputFileName = Pick<StoredJobOutput, 'file' | 'key'> & { readonly job: string };

/** Stores the bytes of an output. */
export async function writeOutput(
  { files, keyring }: OutputStorage,
  { job, file, key }: OutputFileName,
  parts: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): Promise<void> {
  const content = encryptParts(parts, keyring.keyNamed('results', key), fileContext(job, file));
  await files.write(job, file, content);
}

/** Reads the bytes of an output in parts. @throws Error if the file is missing, UnreadableValue if its key was deleted */
export async function* readOutput(
  { files, keyring }: OutputStorage,
  { job, file, key }: OutputFileName,
): AsyncGenerator<Uint8Array> {
  yield* decryptParts(files.read(job, file), keyring.keyNamed('results', key), fileContext(job, file));
}
