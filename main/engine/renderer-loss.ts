/**
 * What happens when Chromium fails. When a renderer, or a process that all windows share, is lost, window/lease.ts ends the work of
 * the job, this file determines the reason and repeats the job in another window, and the window pool replaces the window.
 */
import { totalmem } from 'node:os';
import { pause } from '../async/signals.ts';
import { Failure } from '../failure/failure.ts';
import type { Run } from '../job/job.ts';

/**
 * The `cause` of a Failure when the browser itself failed, as opposed to a refusal or a page that is too complex. `message` names
 * the fault for the service log; `cause` is the error of Chromium or Electron.
 */
export class BrowserFault extends Error {}

/** Returns the browser fault that caused a job's error; undefined if the browser did not fail. */
export function browserFaultOf(problem: unknown): BrowserFault | undefined {
  return problem instanceof Failure && problem.cause instanceof BrowserFault ? problem.cause : undefined;
}

/**
 * Returns the Failure for a page that Chromium did not print or capture. Nearly always the page is too complex.
 * @throws RendererLost if that is the cause, because the job is then repeated in another window
 */
export function outputFailed(message: string, cause: unknown): Failure {
  if (cause instanceof RendererLost) throw cause;
  const fault = new BrowserFault('Chromium failed to print or capture a page', { cause });
  return new Failure('tooComplex', message, { cause: fault });
}

/** The abort reason of a job whose renderer was lost. `message` is the reason, as in EngineWindow.brokenReason. */
export class RendererLost extends Error {}

/** The abort reason of a repeated job whose window had lost its renderer before the job used it. */
export class IdleRendererLost extends Error {}

export type SharedProcess = 'network' | 'graphics';

/** The abort reason of a job that the loss of a shared process may have affected. */
export class ProcessLost extends BrowserFault {
  readonly process: SharedProcess;

  constructor(process: SharedProcess) {
    super(`the browser's ${process} process was lost`);
    this.process = process;
  }
}

/** The details that Electron reports. */
export interface RendererLoss {
  readonly reason: string;
  /** On POSIX, the number of the signal that ended the process. */
  readonly exitCode: number;
}

/**
 * Signals that end a process that has run out of memory. V8, Blink and the allocator end it as after any failed check: SIGTRAP (5),
 * SIGILL (4), SIGABRT (6). The operating system sends SIGKILL (9). SIGSEGV and SIGBUS mean invalid memory access, not lack of
 * memory.
 */
const outOfMemorySignals: ReadonlySet<number> = new Set([4, 5, 6, 9]);

/**
 * A lost renderer with more memory than this may have run out of memory. V8 limits a page's heap to a quarter of the machine's
 * memory, at most 4 GB; a page usually takes about 100 MB.
 */
const largeRendererBytes = Math.min(1e9, totalmem() / 8);

/**
 * Returns Electron's reason, or `oom` if the reason is memory-eviction, or if the renderer's last measured size (`bytes`) and exit
 * code suggest that it ran out of memory. Chromium reports lack of memory only on Windows; elsewhere it is inferred.
 */
export function lossReason({ reason, exitCode }: RendererLoss, bytes: number): string {
  const mayLackMemory = (reason === 'crashed' || reason === 'killed') && outOfMemorySignals.has(exitCode);
  return reason === 'memory-eviction' || (mayLackMemory && bytes >= largeRendererBytes) ? 'oom' : reason;
}

/**
 * Maximum number of repetitions after the loss of a shared process. More than one, because another job's page may have caused each
 * loss.
 */
const maxProcessLosses = 3;

/** Maximum number of windows in a row that have lost their renderer before the job uses them. */
const maxIdleLosses = 10;

/**
 * Delay before a job is repeated. Several renderers may be lost together (OOM killer, graphics driver), and Electron reports the
 * losses one by one. After this delay, all windows without a renderer are usually marked as broken. On a busy machine the reports
 * take longer, so repeated jobs check their window too (IdleRendererLost).
 */
const lossReportTimeMs = 100;

/**
 * Does the work and returns its result. Repeats the work after the first loss of its renderer, after up to three losses of a
 * shared process, and if its window had lost its renderer before.
 * @throws Failure tooComplex, rendererLost, unavailable; whatever else the work throws; the signal's reason
 */
export async function withRetries<T>(run: Run, work: (isRepeated: boolean) => Promise<T>): Promise<T> {
  const rendererLosses: string[] = [];
  let processLosses = 0;
  let idleLosses = 0;
  for (;;) {
    try {
      return await work(rendererLosses.length + processLosses + idleLosses > 0);
    } catch (problem) {
      if (problem instanceof RendererLost) {
        rendererLosses.push(problem.message);
        failForRenderer(problem, rendererLosses);
        noteRetry(run, lossCause(problem.message));
        await pause(lossReportTimeMs, run.signal);
      } else if (problem instanceof ProcessLost) {
        processLosses += 1;
        failForProcess(problem, processLosses);
        noteRetry(run, problem.message);
      } else if (problem instanceof IdleRendererLost) {
        idleLosses += 1;
        if (idleLosses > maxIdleLosses) throw rendererUnavailable(problem);
      } else throw problem;
    }
  }
}

function noteRetry({ log }: Run, why: string): void {
  log.note(`${capitalized(why)}. The conversion was restarted in another window.`, { code: 'renderer-lost' });
}

/** Throws the Failure for a renderer that is not replaced again. `reasons` are those of all losses so far. */
function failForRenderer(problem: RendererLost, reasons: readonly string[]): void {
  // A renderer in another window would not have more memory.
  if (problem.message === 'oom')
    throw new Failure('tooComplex', 'The page needs more memory than the service allows.', {
      cause: problem,
    });
  if (reasons.length < 2) return;
  const causes = [...new Set(reasons.map(lossCause))].join(', then ');
  const message = `The conversion failed in two windows: ${causes}. Simplify the page.`;
  throw new Failure('rendererLost', message, { cause: problem });
}

/** Returns a clause for a reason, which is one of Electron's event render-process-gone, or already a clause. */
function lossCause(reason: string): string {
  return causeByReason[reason] ?? reason;
}

const causeByReason: Readonly<Record<string, string>> = {
  crashed: 'the renderer crashed',
  'abnormal-exit': 'the renderer ended with an error code',
  'clean-exit': 'the renderer ended itself',
  killed: 'the renderer was killed',
  'launch-failed': 'the renderer could not be started',
  'integrity-failure': 'the code of the renderer failed an integrity check',
  closed: 'the window was closed',
};

function failForProcess(problem: ProcessLost, losses: number): void {
  if (losses <= maxProcessLosses) return;
  const message = `${capitalized(problem.message)} repeatedly. Try again in a moment.`;
  throw new Failure('unavailable', message, { cause: problem, retryAfter: 5 });
}

function rendererUnavailable(cause: IdleRendererLost): Failure {
  const message = 'The renderers of several idle windows were lost. Try again in a moment.';
  return new Failure('unavailable', message, { cause, retryAfter: 5 });
}

function capitalized(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}
