/** What a job of the long run is: what is asked for, and which answers are right. */
import type { Colour } from '../support/picture.ts';
import type { Fields } from '../support/convert.ts';
import type { Random } from './random.ts';

export interface PdfExpected {
  readonly kind: 'pdf';
  readonly pages: number;
  /** Of the document before the range, if that is something else. */
  readonly totalPages?: number;
  /** Besides the job's own word. */
  readonly texts?: readonly string[];
  readonly absent?: readonly string[];
  readonly password?: string;
}

export interface PictureExpected {
  readonly kind: 'picture';
  readonly format: string;
  readonly width: number;
  readonly height: number;
  readonly spots: readonly { readonly x: number; readonly y: number; readonly colour: Colour }[];
}

export interface FailureExpected {
  readonly kind: 'failure';
  /** As the answer begins, such as `400.323`. */
  readonly codes: readonly string[];
}

export type Expected = PdfExpected | PictureExpected | FailureExpected;

export interface Asked {
  readonly fields: Fields;
  /** A body in place of the fields. */
  readonly raw?: { readonly type: string; readonly body: Buffer };
  /** Each of them is right. */
  readonly expected: readonly Expected[];
}

/** What a job is made of. */
export interface Making {
  readonly number: number;
  readonly word: string;
  readonly colour: Colour;
  readonly random: Random;
  /** The web server that pages may reach, and one that they must not. */
  readonly web: string;
  readonly canary: string;
}

export type Make = (making: Making) => Asked;
