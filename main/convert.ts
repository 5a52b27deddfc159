/**
 * The story: a Job's input becomes a Source, a window loads it into a Page, the page becomes an Output.
 * Everything taken on the way is given back on success, failure and abort alike.
 */
import { priceOf, type Receipt } from './accounts/credits.ts';
import type { OutputFacts, Reservation } from './accounts/job-entry.ts';
import { loadPage } from './engine/load-page.ts';
import type { Engine } from './engine/engine.ts';
import type { Pool } from './engine/pool.ts';
import type { ArchiveLimits } from './input/archive/limits.ts';
import { prepareSource } from './input/prepare-source.ts';
import type { Output } from './output/output.ts';
import type { Source } from './input/source.ts';
import { produce, type Means } from './output/produce.ts';
import type { Run } from './run.ts';

export interface House extends Means {
  readonly archiveLimits: ArchiveLimits;
  /** Unpacking and filling take a core and memory each, so there are never more at once than windows. */
  readonly preparations: Pool;
  readonly engine: Engine;
}

export interface Conversion {
  readonly output: Output;
  /** What it costs; charged when the caller has it. */
  readonly receipt: Receipt;
}

/**
 * Converts one job. What it costs is held then, to be charged as the output is delivered.
 * @throws Failure for everything a caller may be told; the signal's reason when it aborts.
 */
export async function convert(run: Run, credits: Reservation, house: House): Promise<Conversion> {
  const { archiveLimits, engine, preparations } = house;
  credits.require();
  const source = await run.log.time('prepare input', () =>
    preparations.within(run.job.account, run.signal, () => prepareSource(run, archiveLimits)),
  );
  const output = await engine.withWindow(endingWith(run, source), source, async (window, limited) =>
    produce(await loadPage(window, source, limited), limited, house),
  );
  return { output, receipt: await credits.hold(priceOf(output.bytes.length), factsOf(output)) };
}

/** The run, which ends besides when the source turns out not to be whole. */
function endingWith(run: Run, source: Source): Run {
  const unread = source.kind === 'document' ? source.unread : undefined;
  return unread === undefined ? run : { ...run, signal: AbortSignal.any([run.signal, unread]) };
}

function factsOf({ bytes, pages }: Output): OutputFacts {
  return {
    output_bytes: bytes.length,
    pages: pages?.printed ?? null,
    total_pages: pages?.total ?? null,
  };
}
