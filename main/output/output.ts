/** The output of a job, what its production depends on, and the check of its size. */
import type { EngineWindow } from '../engine/window/engine-window.ts';
import type { WindowRun } from '../engine/window-run.ts';
import type { Finisher } from './finish/finisher.ts';
import type { ReservedSignature, SignatureTask } from './finish/signature/signature.ts';
import { Failure } from '../failure/failure.ts';
import type { Options } from '../job/options.ts';

export interface Output {
  readonly bytes: Buffer;
  readonly contentType: string;
  /** PDF only: the number of pages in the output (`printed`), and in the document before print_page_range applies (`total`). */
  readonly pages?: { readonly printed: number; readonly total: number };
}

export interface OutputDependencies {
  readonly finisher: Finisher;
  /** The largest allowed size of an output. */
  readonly maxOutputBytes: number;
  readonly signer: Signer;
}

/** Signs documents for accounts. */
export interface Signer {
  /**
   * Returns how the documents of an account are signed.
   * @throws Failure valueNotAllowed if the account has no valid certificate; unavailable if it cannot be read
   */
  readonly prepare: (account: string) => Promise<Signature>;
}

/** The signature of one document. */
export interface Signature {
  /** Returns the task for the finishing thread. Prints the appearance of a visible signature in the window of the page. */
  readonly prepareTask: (window: EngineWindow, run: WindowRun) => Promise<SignatureTask>;
  /**
   * Signs the finished document: writes the signature into its room. @throws Failure unavailable without a time stamp; the signal's
   * reason
   */
  readonly sign: (bytes: Buffer, room: ReservedSignature, run: WindowRun) => Promise<void>;
}

/** Checks the size of an output. @throws Failure tooComplex if `bytes` exceeds `maxBytes` */
export function checkOutputSize(maxBytes: number, bytes: number, { output_format }: Options): void {
  if (bytes <= maxBytes) return;
  const [noun, remedy] =
    output_format === 'pdf'
      ? ['document', 'Split the document, or make its images smaller.']
      : ['image', 'Make the image smaller, or choose another output_format.'];
  throw new Failure(
    'tooComplex',
    `The ${noun} would be ${megabytes(bytes)} in size; the limit is ${megabytes(maxBytes)}. ${remedy}`,
  );
}

function megabytes(bytes: number): string {
  return `${Math.ceil(bytes / 1e4) / 100} MB`;
}
