/** What takes part in the benchmark: something that converts documents in processes of its own. */
import type { BenchDocument } from '../documents/document.ts';
import type { Lap, Load } from '../lap.ts';

export interface Contestant extends AsyncDisposable {
  readonly name: string;
  /** What breaks lines and pages. */
  readonly engine: 'Chromium' | 'another';
  /** The process that began all others of it. */
  readonly pid: number;
  readonly supports: (document: BenchDocument) => boolean;
  /** The output's bytes. */
  readonly convert: (document: BenchDocument) => Promise<Buffer>;
  /** @throws Error when a job fails */
  readonly run: (document: BenchDocument, load: Load) => Promise<Lap>;
}

export interface Preparation {
  /** Windows, or whatever it works with at once. */
  readonly workers: number;
  /** For its files; removed by the benchmark. */
  readonly folder: string;
}
