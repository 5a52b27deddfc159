/** A candidate: one of the compared programs, which converts documents in processes of its own. */
import type { BenchDocument } from '../documents/document.ts';
import type { Lap, Load } from '../lap.ts';

export interface Candidate extends AsyncDisposable {
  readonly name: string;
  /** The layout engine. */
  readonly engine: 'Chromium' | 'another';
  /** The process at the root of its process tree. */
  readonly pid: number;
  readonly supports: (document: BenchDocument) => boolean;
  /** Returns the bytes of the output. */
  readonly convert: (document: BenchDocument) => Promise<Buffer>;
  /** @throws Error when a job fails */
  readonly run: (document: BenchDocument, load: Load) => Promise<Lap>;
}

export interface Preparation {
  /** The number of parallel conversions: windows, pages or processes. */
  readonly workers: number;
  /** A folder for its files, which the benchmark removes. */
  readonly folder: string;
}
