/** A job of the soak test: its request and its acceptable responses. */
import type { Colour } from '../support/image.ts';
import type { Fields } from '../support/convert.ts';
import type { Random } from './random.ts';

export interface PdfExpected {
  readonly kind: 'pdf';
  readonly pages: number;
  /** The page count before the page range, if it differs. */
  readonly totalPages?: number;
  /** Texts in addition to the word of the job. */
  readonly texts?: readonly string[];
  readonly absent?: readonly string[];
  readonly password?: string;
}

export interface ImageExpected {
  readonly kind: 'image';
  readonly format: string;
  readonly width: number;
  readonly height: number;
  readonly spots: readonly { readonly x: number; readonly y: number; readonly colour: Colour }[];
}

export interface FailureExpected {
  readonly kind: 'failure';
  /** Accepted codes at the start of the response, such as `400.323`. */
  readonly codes: readonly string[];
}

export type Expected = PdfExpected | ImageExpected | FailureExpected;

export interface JobRequest {
  readonly fields: Fields;
  /** A body instead of the fields. */
  readonly raw?: { readonly type: string; readonly body: Buffer };
  /** Alternatives, each of which is correct. */
  readonly expected: readonly Expected[];
}

/** The facts that a job is made from. */
export interface JobInputs {
  readonly number: number;
  readonly word: string;
  readonly colour: Colour;
  readonly random: Random;
  /** A web server that pages may load from, and one that they must not reach. */
  readonly web: string;
  readonly canary: string;
}

export type MakeJob = (making: JobInputs) => JobRequest;
