/** A candidate: one of the programs that the benchmark compares. It converts documents in separate processes. */
import type { BenchDocument } from '../documents/document.ts';
import type { Lap, Load } from '../lap.ts';

export interface Candidate extends AsyncDisposable {
  readonly name: string;
  /** The layout engine. */
  readonly engine: 'Chromium' | 'another';
  /** The process at the root of its process tree. */
  readonly pid: number;
  readonly supports: (document: BenchDocument) => boolean;
  /** Converts once, and returns the output. */
  readonly convert: (document: BenchDocument) => Promise<Buffer>;
  /** Converts repeatedly for one lap. @throws Error if a job fails */
  readonly run: (document: BenchDocument, load: Load) => Promise<Lap>;
}

export interface Preparation {
  /** The number of parallel conversions: windows, pages or processes. */
  readonly workers: number;
  /** A folder for the candidate's files, which the benchmark removes. */
  readonly folder: string;
}
