/** What a check of the self-test is, what it has to work with, and the conversions it makes. */
import type { Output } from '../output/output.ts';
import { convertOwn, ownDocument, type OwnHouse, type OwnJob } from '../own-job.ts';
import type { Settings } from '../settings/table.ts';

export interface SelfTestMeans extends OwnHouse {
  readonly settings: Settings & { readonly data: string };
  /** For files of jobs under way. */
  readonly workFolder: string;
  /** Writes to the accounts database, and takes it back; the number of accounts. */
  readonly tryOut: () => Promise<number>;
  /** The port the service listens on; undefined while it does not. */
  readonly servicePort: () => number | undefined;
}

/** A check while it is carried out. */
export interface Trial extends SelfTestMeans {
  readonly signal: AbortSignal;
}

export interface Warned {
  readonly warning: string;
}

export interface Check {
  readonly name: string;
  /** What to do when it has failed: a sentence. */
  readonly advice: string;
  /** What was found, as a sentence. @throws Error when it is not as it should be */
  readonly run: (trial: Trial) => Promise<string | Warned>;
}

/** What the service's log calls the jobs of the self-test. */
const id = 'self-test';

/** Converts a document without scripts. */
export function convert(html: string, options: OwnJob['options'], trial: Trial): Promise<Output> {
  const strips = {
    ...(options?.header_html !== undefined && { header: stripOf(options.header_html) }),
    ...(options?.footer_html !== undefined && { footer: stripOf(options.footer_html) }),
  };
  const source = ownDocument(html, { scripts: false, strips });
  return convertOwn({ ...ownJob(trial), source, options: options ?? {} }, trial);
}

export function ownJob({ workFolder, signal }: Trial): Omit<OwnJob, 'source' | 'options'> {
  return { id, folder: workFolder, signal };
}

function stripOf(html: string) {
  return { kind: 'html', html } as const;
}
