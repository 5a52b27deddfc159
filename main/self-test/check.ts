/** Defines the types of self-test checks, and the conversions that several checks use. */
import type { Output } from '../output/output.ts';
import {
  convertInternal,
  inlineSource,
  type InternalJobDependencies,
  type InternalJob,
} from '../converter/internal-job.ts';
import type { Settings } from '../settings/table.ts';

export interface SelfTestDependencies extends InternalJobDependencies {
  readonly settings: Settings & { readonly data: string };
  /** Folder for the files of running jobs. */
  readonly workFolder: string;
  /** Writes to the accounts database and rolls back. Returns the number of accounts. */
  readonly testDatabase: () => Promise<number>;
  /** Returns the port the service listens on, or undefined if it does not listen. */
  readonly servicePort: () => number | undefined;
}

/** The dependencies of a running check. */
export interface CheckContext extends SelfTestDependencies {
  readonly signal: AbortSignal;
}

export interface CheckWarning {
  readonly warning: string;
}

export interface Check {
  readonly name: string;
  /** What the operator can do if the check fails, as a sentence. */
  readonly advice: string;
  /** Runs the check and returns the result as a sentence. @throws Error if the check fails */
  readonly run: (context: CheckContext) => Promise<string | CheckWarning>;
}

/** The job id that the self-test's jobs have in the service log. */
const id = 'self-test';

/** Converts a document with scripts disabled. */
export function convert(
  html: string,
  options: InternalJob['options'],
  context: CheckContext,
): Promise<Output> {
  const headerFooter = {
    ...(options?.header_html !== undefined && { header: htmlPart(options.header_html) }),
    ...(options?.footer_html !== undefined && { footer: htmlPart(options.footer_html) }),
  };
  const source = inlineSource(html, { scripts: false, headerFooter });
  return convertInternal({ ...internalJob(context), source, options: options ?? {} }, context);
}

export function internalJob({ workFolder, signal }: CheckContext): Omit<InternalJob, 'source' | 'options'> {
  return { id, folder: { path: () => workFolder }, signal };
}

function htmlPart(html: string) {
  return { kind: 'html', html, scripts: false } as const;
}
