/** Sends SIGKILL to renderers while their jobs run, at most once for each job: a second crash would count as the fault of the page. */
import { setTimeout as wait } from 'node:timers/promises';
import type { Group } from './processes.ts';
import { runsWorker } from './processes.ts';
import type { JobRequest, JobInputs } from './job.ts';

export interface Crashes {
  /** Creates a job that loses its renderer; `every`: the other running jobs lose theirs as well. */
  readonly makeJob: (making: JobInputs, every: boolean) => JobRequest;
  /** Called when the page of a created job requests `/crash/<word>`; kills renderers before the response. */
  readonly onCrash: (word: string) => Promise<void>;
  /** Returns the script that identifies the renderer of that job. */
  readonly markerOf: (word: string) => string;
  /** Marks a job as running until the returned callback is called. */
  readonly track: (word: string) => () => void;
  readonly killed: () => number;
  readonly skipped: () => number;
}

/** The share of the job timeout in which a renderer must be found; a page waits for its image for half of the job timeout. */
const waitShare = 0.4;

/** @param jobTimeout the job limit in seconds */
export function openCrashes(group: Group, jobTimeout: number): Crashes {
  const timeoutMs = jobTimeout * 1000 * waitShare;
  const running = new Set<string>();
  const crashed = new Set<string>();
  const pending = new Map<string, { readonly every: boolean }>();
  const count = { killed: 0, skipped: 0 };
  const kill = (pids: readonly number[], words: Iterable<string>) => {
    for (const pid of pids) end(pid);
    for (const word of words) crashed.add(word);
    count.killed += 1;
  };
  const tryOne = (word: string) => {
    const marked = group.renderers().filter(runsWorker);
    if (marked.length === 1) kill(marked, [word]);
    return marked.length === 1;
  };
  const tryEvery = () => {
    const spared = [...running].some((word) => crashed.has(word));
    if (!spared) kill(group.renderers(), running);
    return !spared;
  };
  return {
    makeJob(making, every) {
      pending.set(making.word, { every });
      return every ? withoutMarker(making) : withMarker(making);
    },
    async onCrash(word) {
      const planned = pending.get(word);
      pending.delete(word);
      // The renderer of this job was already killed, for this job or together with that of another one.
      if (planned === undefined || crashed.has(word)) return;
      const attempt = () => !running.has(word) || (planned.every ? tryEvery() : tryOne(word));
      if (!(await retryWithin(timeoutMs, attempt))) count.skipped += 1;
    },
    markerOf: (word) => (pending.has(word) ? marker : ''),
    track(word) {
      running.add(word);
      return () => {
        running.delete(word);
        crashed.delete(word);
        pending.delete(word);
      };
    },
    killed: () => count.killed,
    skipped: () => count.skipped,
  };
}

const withoutMarker = (making: JobInputs) => waitingPage(making, '');

/** A page that starts a worker thread, which identifies its renderer in /proc; the page's second load does not start it. */
const withMarker = (making: JobInputs) =>
  waitingPage(making, `<script src="${making.web}/marker/${making.word}"></script>`);

const marker = `new Worker(URL.createObjectURL(new Blob(['setInterval(() => {}, 1000)'])))`;

function waitingPage({ word, web }: JobInputs, script: string): JobRequest {
  const text = `<h1>${word}</h1>${script}<img src="${web}/crash/${word}">`;
  return { fields: { text }, expected: [{ kind: 'pdf', pages: 1 }] };
}

async function retryWithin(milliseconds: number, attempt: () => boolean): Promise<boolean> {
  for (const began = performance.now(); performance.now() - began < milliseconds;) {
    if (attempt()) return true;
    await wait(10);
  }
  return false;
}

function end(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // The process has already ended.
  }
}
