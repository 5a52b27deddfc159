/** One job's use of one window: the job limit runs, the window's events go to the job's log, a lost renderer ends it. */
import { existsSync } from 'node:fs';
import { Failure } from '../failure/failure.ts';
import type { Run } from '../run.ts';
import type { Access } from './access.ts';
import { tellLimits } from './limits-reached.ts';
import type { MemoryWatch, WatchMemory } from './memory-watch.ts';
import type { Recording } from './recording/recorder.ts';
import { lossReason, type Gone } from './renderer-loss.ts';
import type { EngineWindow } from './window.ts';

/** Why a run was aborted whose window's renderer is gone; `message` is Electron's reason (crashed, oom, killed...). */
export class RendererGone extends Error {}

export interface Lease {
  /** Aborts as the run's signal does, at the job limit, and when the renderer is gone. */
  readonly signal: AbortSignal;
  /** Resolves when the job can begin: what its log records is listened to. */
  readonly ready: Promise<void>;
  /** Ends the job with that reason. */
  readonly lose: (why: Error) => void;
  /** Never rejects. */
  readonly end: () => Promise<void>;
}

interface Terms {
  readonly run: Run;
  /** The job limit in milliseconds. */
  readonly limit: number;
  readonly access: Access;
  /** What the job's own files are looked for in. */
  readonly home: 'archive' | 'upload';
  readonly watchMemory: WatchMemory;
}

/** Begins the use. */
export function beginLease(window: EngineWindow, terms: Terms): Lease {
  const { run, limit, access, watchMemory } = terms;
  const ended = new AbortController();
  const deadline = setTimeout(() => {
    ended.abort(timedOut(run, limit));
  }, limit);
  const memory = watchMemory(window.contents, () => {
    window.broken ??= 'oom';
    ended.abort(new RendererGone('oom'));
  });
  const contents = watchContents(window, memory, ended);
  window.jobs += 1;
  window.frozen = false;
  const recording = record(window, terms);
  reachOut(window, { run, access, recording });
  window.visits.begin();
  return {
    signal: AbortSignal.any([run.signal, ended.signal]),
    ready: recording?.ready ?? Promise.resolve(),
    lose(why) {
      ended.abort(why);
    },
    async end() {
      clearTimeout(deadline);
      memory.end();
      window.heavy = memory.wasMuch();
      contents.end();
      await recording?.end(window.broken === undefined);
      tellLimits(window.seat, run);
      window.seat.requests.end();
      window.questions.forget();
    },
  };
}

/** Ends the job when it has nothing left to go on with. */
function watchContents(
  window: EngineWindow,
  memory: MemoryWatch,
  ended: AbortController,
): { readonly end: () => void } {
  const { contents } = window;
  const onGone = (_event: unknown, gone: Gone) => {
    if (ended.signal.aborted) return;
    window.broken = lossReason(gone, memory.last());
    ended.abort(new RendererGone(window.broken));
  };
  // A page can close its window with another frame's native function.
  const onDestroyed = () => {
    ended.abort(new RendererGone('closed by the page'));
  };
  // Without it a page could read what an earlier one has left. It can also fail in a frame that goes, which is none of this.
  const onPreload = (_event: unknown, path: string, cause: Error) => {
    if (!existsSync(path))
      ended.abort(new Error('a file of the program is gone: page-preload.cjs', { cause }));
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

function record({ cdp, seat }: EngineWindow, { run: { job, log }, home }: Terms): Recording | undefined {
  if (!log.recorded) {
    cdp.recorder.rest();
    return undefined;
  }
  const secretHeader = job.options.custom_http_header?.name;
  const { guard, requests } = seat;
  const known = { refusals: () => guard.refusals(), exceeded: () => requests.exceeded() };
  return cdp.recorder.record({ log, home, secretHeader, ...known });
}

interface Reach {
  readonly run: Run;
  readonly access: Access;
  readonly recording: Recording | undefined;
}

function reachOut({ seat }: EngineWindow, { run: { job, log }, access, recording }: Reach): void {
  const { rules, network } = access;
  seat.requests.begin({ log, recording }, rules);
  if (network !== undefined) seat.guard.begin(network);
  const { http_proxy, https_proxy, client_certificate } = job.options;
  if ((http_proxy ?? https_proxy) !== undefined && seat.guard.hasUpstream)
    log.note("http_proxy and https_proxy were ignored: the operator's own proxy is the only way out.", {
      code: 'option-without-effect',
      options: ['http_proxy', 'https_proxy'],
    });
  if (client_certificate !== undefined && job.input.kind !== 'url')
    log.note('client_certificate was ignored: it is for the site of url, and the document itself was sent.', {
      code: 'option-without-effect',
      options: ['client_certificate'],
    });
}

function timedOut(run: Run, limit: number): Failure {
  const sentence = `The job ran out of time: ${limit / 1000} s were over in the stage "${run.log.stage}".`;
  return new Failure('timedOut', sentence);
}
