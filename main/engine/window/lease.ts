/**
 * The use of a window by one job. Aborts the job at the job timeout and if the renderer is lost, and writes the window's events to
 * the job's debug log.
 */
import { existsSync } from 'node:fs';
import { Failure } from '../../failure/failure.ts';
import type { Run } from '../../job/job.ts';
import { isRefusedAddress } from '../../network/resolve-target.ts';
import type { NetworkAccess } from '../requests/network-access.ts';
import { dropPendingCalls } from '../devtools/page-calls.ts';
import { keepConsoleErrors } from '../diagnostics/recording/console.ts';
import { RequestLog } from '../requests/request-log.ts';
import type { MemoryWatch, WatchMemory } from '../health/memory-watch.ts';
import type { ProtocolRecording } from '../diagnostics/recording/recorder.ts';
import { onConsoleError } from './electron-adapter.ts';
import type { EngineWindow } from './engine-window.ts';
import { lossReason, RendererLost, type RendererLoss } from '../renderer-loss.ts';
import { logNetworkProblems } from './browser-context.ts';

export interface Lease {
  /** Aborts with the run's signal, at the job timeout, and when the renderer is lost or exceeds its memory limit. */
  readonly signal: AbortSignal;
  /** Resolves when the debug log, if recorded, receives all further events, so that the job can begin. */
  readonly ready: Promise<void>;
  /** Aborts the job with this reason. */
  readonly abort: (why: Error) => void;
  /** Ends the lease and completes the debug log of its requests. Never rejects. */
  readonly end: () => Promise<void>;
}

interface LeaseOptions {
  readonly run: Run;
  /** The job timeout (setting job-timeout) in milliseconds. */
  readonly timeoutMs: number;
  readonly access: NetworkAccess;
  /** Where the job's files come from, for messages about missing files. */
  readonly jobFilesSource: 'archive' | 'upload';
  readonly watchMemory: WatchMemory;
}

export function beginLease(window: EngineWindow, options: LeaseOptions): Lease {
  const { run, timeoutMs, access, watchMemory } = options;
  const ended = new AbortController();
  const deadline = setTimeout(() => {
    ended.abort(timedOut(run, timeoutMs));
  }, timeoutMs);
  const memory = watchMemory(window.contents, () => {
    window.brokenReason ??= 'oom';
    ended.abort(new RendererLost('oom'));
  });
  const contentsWatch = watchContents(window, memory, ended);
  const ignoreErrors = onConsoleError(window.contents, keepConsoleErrors(run.log));
  window.jobCount += 1;
  window.isNavigationBlocked = false;
  const recording = startRecording(window, options);
  const abort = (why: Error) => {
    ended.abort(why);
  };
  openNetwork(window, { run, access, recording, abort, jobFilesSource: options.jobFilesSource });
  window.visits.begin();
  return {
    signal: AbortSignal.any([run.signal, ended.signal]),
    ready: recording?.ready ?? Promise.resolve(),
    abort,
    async end() {
      clearTimeout(deadline);
      memory.end();
      window.usedMuchMemory = memory.wasHigh();
      contentsWatch.end();
      ignoreErrors();
      await recording?.end(window.brokenReason === undefined);
      logNetworkProblems(window.context, run);
      window.context.requests.end();
      dropPendingCalls(window.contents);
    },
  };
}

/** Aborts the job when its renderer or window is lost. */
function watchContents(
  window: EngineWindow,
  memory: MemoryWatch,
  ended: AbortController,
): { readonly end: () => void } {
  const { contents } = window;
  const onGone = (_event: unknown, loss: RendererLoss) => {
    if (ended.signal.aborted) return;
    window.brokenReason = lossReason(loss, memory.lastBytes());
    ended.abort(new RendererLost(window.brokenReason));
  };
  // A page can close its window through a native function of another frame.
  const onDestroyed = () => {
    ended.abort(new RendererLost('the page closed its window'));
  };
  // Without the preload script, a page could read what an earlier job stored. Electron also emits `preload-error` for a frame that
  // is being removed, which is harmless; the file exists in that case.
  const onPreload = (_event: unknown, path: string, cause: Error) => {
    if (!existsSync(path)) ended.abort(new Error('the program file page-preload.cjs is missing', { cause }));
  };
  contents.on('render-process-gone', onGone).on('destroyed', onDestroyed).on('preload-error', onPreload);
  return {
    end() {
      contents
        .off('render-process-gone', onGone)
        .off('destroyed', onDestroyed)
        .off('preload-error', onPreload);
    },
  };
}

function startRecording(
  { cdp, context }: EngineWindow,
  { run: { job, log }, jobFilesSource }: LeaseOptions,
): ProtocolRecording | undefined {
  if (!log.isRecorded) {
    cdp.recorder.disable();
    return undefined;
  }
  const secretHeader = job.options.custom_http_header?.name;
  const { guard, requests } = context;
  return cdp.recorder.record({
    log,
    jobFilesSource,
    secretHeader,
    refusals: () => guard.refusals(),
    isLimitExceeded: () => requests.isLimitExceeded(),
  });
}

interface LeaseNetworkOptions {
  readonly run: Run;
  readonly access: NetworkAccess;
  readonly recording: ProtocolRecording | undefined;
  readonly abort: Lease['abort'];
  readonly jobFilesSource: LeaseOptions['jobFilesSource'];
}

function openNetwork(
  { context }: EngineWindow,
  { run: { job, log }, access, recording, abort, jobFilesSource }: LeaseNetworkOptions,
): void {
  const { rules, network } = access;
  const isRefused = (url: string) => isRefusedAddress(url, context.guard.refusals());
  context.requests.begin(new RequestLog({ log, recording, isRefused, jobFilesSource }), rules, abort);
  context.guard.begin(network);
  const { http_proxy, https_proxy, client_certificate } = job.options;
  if ((http_proxy ?? https_proxy) !== undefined && context.guard.hasUpstream)
    log.note('http_proxy and https_proxy were ignored: the operator has set a proxy for all requests.', {
      code: 'option-without-effect',
      options: ['http_proxy', 'https_proxy'],
    });
  if (client_certificate !== undefined && job.input.kind !== 'url')
    log.note('client_certificate was ignored: it applies only to the site of url, and this job has no url.', {
      code: 'option-without-effect',
      options: ['client_certificate'],
    });
}

function timedOut(run: Run, timeoutMs: number): Failure {
  const message = `The job ran out of time: the job timeout of ${timeoutMs / 1000} s was reached in the stage "${run.log.stage}".`;
  return new Failure('timedOut', message);
}
