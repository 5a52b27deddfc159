/**
 * A job of the service's own: converted as a caller's is, through the same queue and windows, without a request, an account and
 * a place in the record.
 */
import type { Engine, WindowRun } from './engine/engine.ts';
import { loadPage } from './engine/load-page.ts';
import { proxyOf } from './engine/seat.ts';
import type { EngineWindow } from './engine/window.ts';
import type { Source } from './input/source.ts';
import type { Job } from './job/job.ts';
import type { Options } from './job/options.ts';
import { defaults } from './job/read-fields.ts';
import { DebugLog } from './log/debug-log.ts';
import type { Output } from './output/output.ts';
import { produce, type Means } from './output/produce.ts';
import type { Run } from './run.ts';
import { unlessAborted } from './signals.ts';

export interface OwnHouse extends Means {
  readonly engine: Engine;
}

export interface OwnJob {
  /** What the service's log calls it. */
  readonly id: string;
  readonly source: Source;
  readonly options?: Partial<Options>;
  /** Where large pictures are put together. */
  readonly folder?: string;
  readonly signal: AbortSignal;
}

/** Milliseconds with a window, a hundred times what it takes. */
const patience = 15_000;

/** @throws what a caller's conversion throws; Error when the window was not behind its guard, or took too long */
export function convertOwn(job: OwnJob, house: OwnHouse): Promise<Output> {
  return lendOwn(job, house, async (window, run) =>
    produce(await loadPage(window, job.source, run), run, house),
  );
}

/** Lends a window for it. @throws what `use` throws, and the same */
export function lendOwn<T>(
  job: OwnJob,
  { engine }: OwnHouse,
  use: (window: EngineWindow, run: WindowRun) => Promise<T>,
): Promise<T> {
  return engine.withWindow(runOf(job), job.source, (window, limited) => {
    const late = AbortSignal.timeout(patience);
    const run: WindowRun = { ...limited, signal: AbortSignal.any([limited.signal, late]) };
    return unlessAborted(
      run.signal,
      useBehindGuard(window, () => use(window, run)),
    );
  });
}

/** A document without files beside it. */
export function ownDocument(html: string, runs: Pick<Source, 'scripts' | 'strips'>): Source {
  const bytes = Buffer.from(html);
  return { kind: 'document', bytes, contentType: 'text/html; charset=utf-8', path: 'index.html', ...runs };
}

async function useBehindGuard<T>({ seat }: EngineWindow, use: () => Promise<T>): Promise<T> {
  const used = await use();
  const [proxy, expected] = [await proxyOf(seat), `PROXY 127.0.0.1:${seat.guard.port}`];
  // What went past the guard would be a hole in the operator's network.
  if (proxy !== expected) throw new Error(`a window is not behind its guard, but goes by ${proxy}`);
  return used;
}

function runOf({ id, options = {}, source, folder = '', signal }: OwnJob): Run {
  const input: Job['input'] =
    source.kind === 'remote' ? { kind: 'url', url: source.url } : { kind: 'text', html: '' };
  const job: Job = {
    ...{ id, account: '', input, notes: [], written: new Map() },
    given: new Set(Object.keys(options) as (keyof Options)[]),
    options: { ...(defaults as Options), ...options },
  };
  return { job, log: new DebugLog(), folder, signal };
}
