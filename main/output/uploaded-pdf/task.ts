/** The task of the subprocess that converts a PDF of a caller, its answer, and the limits of its result. */

export interface UploadedPdfTask {
  /** The number of pages that the job uses at most, from the first. */
  readonly maxPages: number;
  readonly maxObjects: number;
}

/** The converted PDF follows as bytes. */
export type UploadedPdfAnswer =
  { readonly objects: number } | { readonly problem: UploadProblem; readonly cause: string };

export type UploadProblem = 'too complex' | 'needs a password' | 'damaged';

export interface PlainPdf {
  readonly bytes: Uint8Array;
  /** The number of its objects, also of those inside others. */
  readonly objects: number;
}

/** What the finishing thread reads. All threads share 4 GB. */
export const plainLimits = {
  /** In all PDFs of a job together. In a thread, a document and the copy of its objects take up to 250 bytes for each. */
  objects: 500_000,
  /** Also of a name. While pdf-lib reads a string, it takes 20 bytes for each character. */
  stringBytes: 1_000_000,
  /** Of arrays and dictionaries in each other. pdf-lib's functions are recursive. */
  nesting: 500,
} as const;
