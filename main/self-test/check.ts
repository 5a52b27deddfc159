/** The types of self-test checks, and the conversions that checks make. */
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
  /** Returns the port the service listens on, or undefined when it does not listen. */
  readonly servicePort: () => number | undefined;
}

/** What a running check can use. */
export interface CheckContext extends SelfTestDependencies {
  readonly signal: AbortSignal;
}

export interface CheckWarning {
  readonly warning: string;
}

export interface Check {
  readonly name: string;
  /** What the operator can do when the check fails, as a sentence. */
  readonly advice: string;
  /** Returns the result as a sentence. @throws Error when the check fails */
  readonly run: (context: CheckContext) => Promise<string | CheckWarning>;
}

/** The job id of the self-test's jobs in the service log. */
const id = 'self-test';

/** Converts a document without scripts. */
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
  return { id, folder: workFolder, signal };
}

function htmlPart(html: string) {
  return { kind: 'html', html } as const;
}
