/** A job of the soak test: its request and its acceptable responses. */
import type { Colour } from '../support/output/image.ts';
import type { Fields } from '../support/service/convert.ts';
import type { Random } from './random.ts';

export interface PdfExpected {
  readonly kind: 'pdf';
  readonly pages: number;
  /** The number of pages before the page range is applied, if it differs. */
  readonly totalPages?: number;
  /** Texts that the PDF must contain in addition to the word of the job. */
  readonly texts?: readonly string[];
  /** Texts that the PDF must not contain. */
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
  /** The acceptable error codes, such as `400.323`. */
  readonly codes: readonly string[];
}

export type Expected = PdfExpected | ImageExpected | FailureExpected;

export interface JobRequest {
  readonly fields: Fields;
  /** The request body to send instead of the fields. */
  readonly raw?: { readonly type: string; readonly body: Buffer };
  /** The acceptable responses. Empty if the caller disconnects before any response. */
  readonly expected: readonly Expected[];
}

/** The inputs from which a job is created. */
export interface JobInputs {
  readonly number: number;
  readonly word: string;
  readonly colour: Colour;
  readonly random: Random;
  /** The origin of a web server that pages may load from, and of a web server that they must not reach. */
  readonly web: string;
  readonly canary: string;
}

export type MakeJob = (making: JobInputs) => JobRequest;
