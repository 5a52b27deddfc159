/**
 * Sends SIGKILL to renderers while their jobs run, at most once for each job: the service would attribute a second crash to the
 * page.
 */
import { setTimeout as wait } from 'node:timers/promises';
import type { Group } from './processes.ts';
import { runsWorker } from './processes.ts';
import type { JobRequest, JobInputs } from './job.ts';

export interface Crashes {
  /** Creates a job whose renderer is killed; `every`: the renderers of all other running jobs are killed as well. */
  readonly makeJob: (making: JobInputs, every: boolean) => JobRequest;
  /** Called when the page of such a job requests `/crash/<word>`. Kills renderers before the request gets a response. */
  readonly onCrash: (word: string) => Promise<void>;
  /** Returns the script that makes the renderer of the job `word` recognisable; an empty string after the kill. */
  readonly markerOf: (word: string) => string;
  /** Marks a job as running until the returned callback is called. */
  readonly track: (word: string) => () => void;
  /** Returns the number of kills so far; killing all renderers together counts once. */
  readonly killed: () => number;
  /** Returns how often no renderer could be killed within the time limit. */
  readonly skipped: () => number;
}

/** The fraction of the job timeout in which a renderer must be found. A page waits for its image for half of the job timeout. */
const waitShare = 0.4;

/** @param jobTimeout The job timeout in seconds. */
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
      // The renderer of this job was already killed, for this job or together with all others.
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

/** A page that starts a worker thread, by which its renderer is found in /proc. The second load of the page starts no worker. */
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
