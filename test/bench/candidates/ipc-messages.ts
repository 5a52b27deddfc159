/** The IPC messages between the benchmark and a candidate's program. */
import type { ExpectedOutput } from '../documents/document.ts';
import type { Lap, Load } from '../lap.ts';

export interface RequestedDocument {
  /** The path of the HTML file. */
  readonly file: string;
  /** The URL to load the document from. */
  readonly url: string;
  readonly scripts: boolean;
  readonly marksReady: boolean;
  readonly expected: ExpectedOutput;
}

export interface ProgramRequest {
  readonly document: RequestedDocument;
  /** If given, the program converts repeatedly for one lap. */
  readonly load?: Load;
  /** If given, the program converts once and writes the output to this file. */
  readonly output?: string;
}

export type Reply =
  | { readonly kind: 'ready'; readonly url?: string }
  | { readonly kind: 'lap'; readonly lap: Lap }
  | { readonly kind: 'problem'; readonly problem: string };
