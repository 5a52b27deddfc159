/**
 * Internal jobs: conversions for the service itself. They use the same queue and windows as other jobs, but have no account and are
 * not recorded.
 */
import type { Engine } from '../engine/engine.ts';
import type { WindowRun } from '../engine/window-run.ts';
import { loadPage } from '../engine/loading/load-page.ts';
import { proxyOf } from '../engine/window/browser-context.ts';
import type { EngineWindow } from '../engine/window/engine-window.ts';
import type { Source } from '../input/source.ts';
import type { Job, JobFolder, Run } from '../job/job.ts';
import type { Options } from '../job/options.ts';
import { defaults } from '../job/read-fields.ts';
import { DebugLog } from '../log/debug-log.ts';
import type { Output, OutputDependencies } from '../output/output.ts';
import { produce } from '../output/produce.ts';
import { unlessAborted } from '../async/signals.ts';

export interface InternalJobDependencies extends OutputDependencies {
  readonly engine: Engine;
}

export interface InternalJob {
  /** Identifies the job in the service log. */
  readonly id: string;
  readonly source: Source;
  readonly options?: Partial<Options>;
  /** Folder in which large images are assembled. */
  readonly folder?: JobFolder;
  readonly signal: AbortSignal;
}

/** Time limit while the job has a window: a hundred times the usual duration of an internal job. */
const jobTimeoutMs = 15_000;

/** Converts `job.source`. @throws the errors of any conversion; Error if the window bypasses its network guard, or on timeout */
export function convertInternal(job: InternalJob, dependencies: InternalJobDependencies): Promise<Output> {
  return withInternalWindow(job, dependencies, async (window, run) =>
    produce(await loadPage(window, job.source, run), run, dependencies),
  );
}

/** Calls `use` with a window. @throws the errors of `use` and of `convertInternal` */
export function withInternalWindow<T>(
  job: InternalJob,
  { engine }: InternalJobDependencies,
  use: (window: EngineWindow, run: WindowRun) => Promise<T>,
): Promise<T> {
  return engine.withWindow(runOf(job), job.source, (window, limited) => {
    const timeout = AbortSignal.timeout(jobTimeoutMs);
    const run: WindowRun = { ...limited, signal: AbortSignal.any([limited.signal, timeout]) };
    return unlessAborted(
      run.signal,
      useBehindGuard(window, () => use(window, run)),
    );
  });
}

/** Returns a source for a document without sibling files. */
export function inlineSource(html: string, properties: Pick<Source, 'scripts' | 'headerFooter'>): Source {
  const bytes = Buffer.from(html);
  return {
    kind: 'document',
    bytes,
    contentType: 'text/html; charset=utf-8',
    path: 'index.html',
    ...properties,
  };
}

/** Calls `use`, then checks that the window still uses its network guard. @throws Error if it does not */
async function useBehindGuard<T>({ context }: EngineWindow, use: () => Promise<T>): Promise<T> {
  const result = await use();
  const proxy = await proxyOf(context);
  const expected = `PROXY 127.0.0.1:${context.guard.port}`;
  // Requests that bypass the network guard would reach the operator's network unfiltered.
  if (proxy !== expected) throw new Error(`a window bypasses its network guard and uses the proxy ${proxy}`);
  return result;
}

/** Internal jobs without a folder make no large image. */
const noFolder: JobFolder = {
  path() {
    throw new Error('the internal job has no folder');
  },
};

function runOf({ id, options = {}, source, folder = noFolder, signal }: InternalJob): Run {
  const input: Job['input'] =
    source.kind === 'remote' ? { kind: 'url', url: source.url } : { kind: 'text', html: '' };
  const job: Job = {
    id,
    account: '',
    input,
    notes: [],
    rawValues: new Map(),
    givenOptions: new Set(Object.keys(options) as (keyof Options)[]),
    options: { ...(defaults as Options), ...options },
  };
  return { job, log: new DebugLog(), folder, signal };
}
