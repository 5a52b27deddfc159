/** One job's use of one window: the job limit runs, the window's events go to the job's log, a lost renderer ends it. */
import { Failure } from '../failure/failure.ts';
import type { Run } from '../run.ts';
import type { Access } from './access.ts';
import type { EngineWindow } from './window.ts';

/** Why a run was aborted whose window's renderer is gone; `message` is Electron's reason (crashed, oom, killed...). */
export class RendererGone extends Error {}

export interface Lease {
  /** Aborts as the run's signal does, at the job limit, and when the renderer is gone. */
  readonly signal: AbortSignal;
  readonly end: () => void;
}

interface Terms {
  readonly run: Run;
  /** The job limit in milliseconds. */
  readonly limit: number;
  readonly access: Access;
}

/** Begins the use. */
export function beginLease(window: EngineWindow, { run, limit, access }: Terms): Lease {
  const ended = new AbortController();
  const deadline = setTimeout(() => {
    ended.abort(timedOut(run, limit));
  }, limit);
  const onGone = (_event: unknown, { reason }: { reason: string }) => {
    ended.abort(new RendererGone(reason));
  };
  const onConsole = (...message: unknown[]) => {
    run.log.write(consoleEvent(message));
  };
  // A page can close its window with another frame's native function.
  const onDestroyed = () => {
    onGone(undefined, { reason: 'closed by the page' });
  };
  window.contents.on('render-process-gone', onGone).on('destroyed', onDestroyed);
  if (run.log.recorded) window.contents.on('console-message', onConsole);
  window.jobs += 1;
  window.frozen = false;
  reachOut(window, run, access);
  window.visits.begin();
  return {
    signal: AbortSignal.any([run.signal, ended.signal]),
    end() {
      clearTimeout(deadline);
      window.contents.off('render-process-gone', onGone).off('destroyed', onDestroyed);
      window.contents.off('console-message', onConsole);
      window.seat.requests.end();
      for (const refusal of window.seat.guard.refusals()) {
        run.log.write({
          kind: 'request',
          text: `${refusal.host}:${refusal.port}`,
          detail: { blocked: 'by the network policy' },
        });
      }
    },
  };
}

function reachOut({ seat }: EngineWindow, { job, log }: Run, { rules, network }: Access): void {
  seat.requests.begin(log, rules);
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

const levels = ['debug', 'info', 'warning', 'error'] as const;

/** Positional arguments until Electron 34, one event object since. */
function consoleEvent([event, level, text, line, source]: readonly unknown[]) {
  const modern = event as {
    level?: (typeof levels)[number];
    message?: string;
    lineNumber?: number;
    sourceId?: string;
  };
  const place = {
    line: typeof line === 'number' ? line : (modern.lineNumber ?? 0),
    source: typeof source === 'string' ? source : (modern.sourceId ?? ''),
  };
  const said = typeof text === 'string' ? text : (modern.message ?? '');
  const how = typeof level === 'number' ? (levels[level] ?? 'info') : (modern.level ?? 'info');
  return { kind: 'console', text: said.slice(0, 10_000), detail: { level: how, ...place } } as const;
}
