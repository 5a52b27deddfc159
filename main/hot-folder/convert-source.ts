/**
 * Converts one source (a file in a hot folder) as an ordinary job, which is recorded, logged, counted and charged like a job of the
 * API. Writes the output to the folder.
 */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Account } from '../accounts/account.ts';
import { refuseIfFullOrPaused, type AdmissionDependencies } from '../conversion/admission.ts';
import { CallerDisconnected, reportJobFailure } from '../conversion/job-log.ts';
import {
  convertForm,
  type FormDependencies,
  type FinishedConversion,
  type FormConversionRequest,
} from '../conversion/convert-form.ts';
import { Failure, fileErrorReason, toFailure } from '../failure/failure.ts';
import { newJobId } from '../job/job.ts';
import type { DebugLog } from '../log/debug-log.ts';
import type { Finding } from '../log/findings/finding.ts';
import type { EndedJob, Metrics } from '../metrics/metrics.ts';
import { openSubFolder, temporaryPrefix, writeDurably, signatureAt } from './folder-file.ts';
import { receiveSource, type SourceRequest } from './receive-source.ts';
import { isReplaceable, renameWithRetry } from '../files/rename-with-retry.ts';

export interface SourceJob extends SourceRequest {
  readonly account: Account;
  /** The file name of the output. `settings` determine its folder. */
  readonly output: string;
  /** Whether to record a debug log even if the options do not request one. */
  readonly withDebugLog?: boolean;
}

export type SourceResult =
  | { readonly kind: 'converted' }
  /** The source was changed or removed during the conversion. */
  | { readonly kind: 'gone' }
  /**
   * The failure is temporary and not caused by the source. If `affectsAllSources` is true, no source can be converted at present.
   */
  | {
      readonly kind: 'later';
      readonly failure: Failure;
      readonly delayMs: number;
      readonly affectsAllSources: boolean;
    }
  | {
      readonly kind: 'failed';
      readonly failure: Failure;
      readonly job: string;
      readonly debugLog: string | undefined;
    };

export interface SourceDependencies extends FormDependencies, AdmissionDependencies {
  readonly metrics: Pick<Metrics, 'jobEnded'>;
}

/**
 * Converts a source. After a failure, tries once more with a debug log, and returns the second result. Recording a log takes a
 * third of a short job's time, so the first attempt records none. Never rejects.
 */
export async function convertSource(job: SourceJob, dependencies: SourceDependencies): Promise<SourceResult> {
  const result = await new SourceConversion(job, dependencies).run();
  if (result.kind !== 'failed' || result.debugLog !== undefined) return result;
  return await new SourceConversion({ ...job, withDebugLog: true }, dependencies).run();
}

/** Of the file beside an output that contains its notes, such as `invoice.pdf.notes.txt`. */
const notesSuffix = '.notes.txt';

/** Kinds of failures that the source does not cause. */
const transientKinds: readonly Failure['kind'][] = [
  'unavailable',
  'tooManyRequests',
  'unauthorized',
  'noCredits',
];

/** One attempt to convert a source. */
class SourceConversion {
  readonly #job: SourceJob;
  readonly #dependencies: SourceDependencies;
  /** Id of the recorded job. */
  readonly #id = newJobId();
  readonly #startedAt = performance.now();
  #log: DebugLog | undefined;
  #tag: string | undefined;
  #isOutputUnwritable = false;

  constructor(job: SourceJob, dependencies: SourceDependencies) {
    this.#job = job;
    this.#dependencies = dependencies;
  }

  /** Never rejects. */
  async run(): Promise<SourceResult> {
    try {
      refuseIfFullOrPaused(this.#job.account.name, this.#dependencies);
    } catch (problem) {
      // The delay is short because the check is cheap and conversions should continue soon after a pause.
      return { kind: 'later', failure: toFailure(problem), delayMs: 1000, affectsAllSources: true };
    }
    // Otherwise the source would be converted again and again while its output is open in a viewer.
    const { folder, settings, output } = this.#job;
    if (!(await isReplaceable(join(folder, settings.output, output))))
      return {
        kind: 'later',
        failure: this.#outputUnwritable('it is open in another program'),
        delayMs: 5000,
        affectsAllSources: false,
      };
    try {
      const conversion = await convertForm(this.#conversionRequest(), this.#dependencies);
      if (conversion === undefined) {
        this.#count({ outcome: 'caller_gone' });
        return { kind: 'gone' };
      }
      this.#count({ outcome: 'converted', credits: conversion.receipt.consumed });
      return { kind: 'converted' };
    } catch (problem) {
      return this.#resultOf(problem);
    }
  }

  #conversionRequest(): FormConversionRequest<FinishedConversion> {
    return {
      id: this.#id,
      account: this.#job.account,
      recordsDebugLog: this.#job.withDebugLog ?? false,
      callerDisconnected: new AbortController().signal,
      receive: (folder) => receiveSource(this.#job, folder.path()),
      onReceived: ({ log, tag }) => {
        this.#log = log;
        this.#tag = tag;
      },
      deliver: (conversion) => this.#deliver(conversion),
    };
  }

  /** Writes the output, then charges the account. */
  async #deliver(conversion: FinishedConversion): Promise<FinishedConversion> {
    try {
      await this.#writeOutput(conversion.output.bytes, conversion.log.warnings);
    } catch (problem) {
      if (problem instanceof CallerDisconnected || problem instanceof Failure) throw problem;
      this.#isOutputUnwritable = true;
      throw this.#outputUnwritable(fileErrorReason(problem as NodeJS.ErrnoException), problem);
    }
    await conversion.entry.charge(conversion.log.durations, () => {});
    return conversion;
  }

  #outputUnwritable(reason: string, cause?: unknown): Failure {
    const message = `The output ${this.#job.output} cannot be written: ${reason}.`;
    return new Failure('unavailable', message, { cause });
  }

  /**
   * Writes the output under a temporary name and renames it, so that no incomplete output is visible. The notes come first: who sees the
   * output sees its notes, too.
   */
  async #writeOutput(bytes: Uint8Array, notes: readonly Finding[]): Promise<void> {
    const { folder, settings, source, output } = this.#job;
    await using outputs = await openSubFolder(folder, settings.output);
    const temporary = join(outputs.path, `${temporaryPrefix}${this.#id}.tmp`);
    try {
      await writeDurably(temporary, bytes, join(folder, source.name));
      await this.#rejectChangedSource();
      await this.#writeNotes(outputs.path, notes);
      await renameWithRetry(temporary, join(outputs.path, output));
    } finally {
      await rm(temporary, { force: true }).catch(() => {});
    }
  }

  /** Writes the notes about the output beside it, or removes those about an earlier output. */
  async #writeNotes(outputFolder: string, notes: readonly Finding[]): Promise<void> {
    const { folder, source, output } = this.#job;
    const path = join(outputFolder, `${output}${notesSuffix}`);
    if (notes.length === 0) {
      await rm(path, { force: true });
      return;
    }
    const temporary = join(outputFolder, `${temporaryPrefix}${this.#id}.notes.tmp`);
    try {
      const lines = notes.map(({ code, sentence }) => `${code}: ${sentence}\n`);
      await writeDurably(temporary, Buffer.from(lines.join('')), join(folder, source.name));
      await renameWithRetry(temporary, path);
    } finally {
      await rm(temporary, { force: true }).catch(() => {});
    }
  }

  /**
   * Throws CallerDisconnected if the source has changed. A source with a newer output counts as converted, so the output of an
   * earlier version must not get the final name.
   */
  async #rejectChangedSource(): Promise<void> {
    const { folder, source, signature } = this.#job;
    if ((await signatureAt(join(folder, source.name))) === signature) return;
    throw new CallerDisconnected('The file was changed or removed while it was converted.');
  }

  /** Logs and counts the failure, and decides whether the source is converted again later. */
  #resultOf(problem: unknown): SourceResult {
    const failure = toFailure(problem);
    reportJobFailure(failure, this.#dependencies.log, {
      id: this.#id,
      account: this.#job.account.name,
      tag: this.#tag,
      debugLog: this.#log,
    });
    this.#count({ outcome: 'failed', reason: failure.reason });
    if (!transientKinds.includes(failure.kind))
      return { kind: 'failed', failure, job: this.#id, debugLog: this.#log?.id };
    // Without credits the delay is longer: credits come from an operator or the next day, and each attempt adds a job record.
    const { retryAfter = failure.kind === 'noCredits' ? 60 : 5 } = failure;
    const delayMs = Math.min(Math.max(retryAfter, 1), 60) * 1000;
    return { kind: 'later', failure, delayMs, affectsAllSources: !this.#isOutputUnwritable };
  }

  #count(ended: Pick<EndedJob, 'outcome' | 'reason' | 'credits'>): void {
    this.#dependencies.metrics.jobEnded({
      account: this.#job.account.name,
      durationMs: performance.now() - this.#startedAt,
      stages: this.#log?.durations ?? {},
      ...ended,
    });
  }
}
