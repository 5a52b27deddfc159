/**
 * The story: a Job's input becomes a Source, a window loads it into a Page, the page becomes an Output.
 * Everything taken on the way is given back on success, failure and abort alike.
 */
import { priceOf, type Charge, type Credits, type Receipt } from './accounts/credits.ts';
import { loadPage } from './engine/load-page.ts';
import type { Engine } from './engine/engine.ts';
import type { Pool } from './engine/pool.ts';
import type { ArchiveLimits } from './input/archive/limits.ts';
import { prepareSource } from './input/prepare-source.ts';
import type { Finisher } from './output/finisher.ts';
import type { Output } from './output/output.ts';
import { produce } from './output/produce.ts';
import type { Run } from './run.ts';

export interface House {
  readonly archiveLimits: ArchiveLimits;
  /** Unpacking and filling take a core and memory each, so there are never more at once than windows. */
  readonly preparations: Pool;
  readonly credits: Credits;
  readonly engine: Engine;
  readonly finisher: Finisher;
}

export interface Conversion {
  readonly output: Output;
  readonly receipt: Receipt;
  /** To be called when the caller never got the output. */
  readonly refund: Charge['refund'];
}

/**
 * Converts one job.
 * @throws Failure for everything a caller may be told; the signal's reason when it aborts.
 */
export async function convert(
  run: Run,
  { archiveLimits, credits, engine, finisher, preparations }: House,
): Promise<Conversion> {
  using charge = credits.reserve(run.job.account);
  const source = await run.log.time('prepare input', () =>
    preparations.within(run.signal, () => prepareSource(run, archiveLimits)),
  );
  const output = await engine.withWindow(run, source, async (window, limited) =>
    produce(await loadPage(window, source, limited), limited, finisher),
  );
  return { output, receipt: charge.settle(priceOf(output.bytes.length)), refund: charge.refund };
}
