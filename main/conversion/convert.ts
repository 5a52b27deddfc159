/**
 * Converts one job: prepares its input as a Source, loads it into a Page and produces the Output.
 * Releases every resource on success, failure and abort.
 */
import { priceOf, type Receipt } from '../accounts/ledger/credits.ts';
import type { Reservation } from '../accounts/ledger/job-entry.ts';
import type { OutputFacts } from '../accounts/ledger/ledger.ts';
import { loadPage } from '../engine/loading/load-page.ts';
import type { Engine } from '../engine/engine.ts';
import type { JobQueue } from '../engine/queue/job-queue.ts';
import type { ArchiveLimits } from '../input/archive/limits.ts';
import { Failure } from '../failure/failure.ts';
import { prepareSource } from '../input/prepare-source.ts';
import type { Output, OutputDependencies } from '../output/output.ts';
import type { Source } from '../input/source.ts';
import { produce } from '../output/produce.ts';
import type { Run } from '../job/job.ts';
import { keepOnDisk } from './waiting-source.ts';
import { counted } from '../log/findings/phrases.ts';

export interface ConversionDependencies extends OutputDependencies {
  readonly archiveLimits: ArchiveLimits;
  /** Limits concurrent unpacking and template filling to the number of windows, because each such task needs a core and memory. */
  readonly inputQueue: JobQueue;
  readonly engine: Engine;
}

export interface ConversionResult {
  readonly output: Output;
  /** The reserved price of the output, which is charged when the caller has received the output. */
  readonly receipt: Receipt;
}

/**
 * Converts one job and reserves its price, which delivery charges.
 * @throws Failure for every error that a caller may see; the signal's reason if it is aborted.
 */
export async function convert(
  run: Run,
  credits: Reservation,
  dependencies: ConversionDependencies,
): Promise<ConversionResult> {
  const { archiveLimits, engine, inputQueue } = dependencies;
  const { waiting, whole } = await run.log.timeStage('prepare input', () =>
    inputQueue.run(run.job.account, run.signal, async () =>
      keepOnDisk(await prepareSource(run, archiveLimits), run.folder),
    ),
  );
  const output = await engine.withWindow(withSourceSignal(run, waiting), waiting, async (window, limited) =>
    produce(await loadPage(window, await whole(), limited), limited, dependencies),
  );
  refuseNotes(run);
  return { output, receipt: await credits.hold(priceOf(output.bytes.length), factsOf(output)) };
}

/** Returns the run with a signal that is also aborted when a file of the source cannot be read. */
function withSourceSignal(run: Run, source: Source): Run {
  const unreadableFile = source.kind === 'document' ? source.unreadableFile : undefined;
  if (unreadableFile === undefined) return run;
  return { ...run, signal: AbortSignal.any([run.signal, unreadableFile]) };
}

/** @throws Failure notesRefused if the document would carry a note that fail_on_notes names */
function refuseNotes({ job, log }: Run): void {
  const { fail_on_notes: codes = [] } = job.options;
  if (codes.length === 0) return;
  const refused = log.warnings.filter(({ code }) => codes.includes('any') || codes.includes(code));
  if (refused.length === 0) return;
  const notes = refused.map(({ code, sentence }) => `${code}: ${sentence}`);
  throw new Failure(
    'notesRefused',
    `The document would carry ${counted(refused.length, 'note')} that fail_on_notes names. ${notes.join(' ')}`,
  );
}

function factsOf({ bytes, pages }: Output): OutputFacts {
  return {
    output_bytes: bytes.length,
    pages: pages?.printed ?? null,
    total_pages: pages?.total ?? null,
  };
}
