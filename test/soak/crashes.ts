/** Kills renderers by the system, while their jobs run, and no job's renderer twice: then its page would be to blame. */
import { setTimeout as wait } from 'node:timers/promises';
import type { Group } from './processes.ts';
import { runsWorker } from './processes.ts';
import type { Asked, Making } from './job.ts';

export interface Crashes {
  /** The job that loses its renderer: the one of its own, or each other job's too. */
  readonly asked: (making: Making, every: boolean) => Asked;
  /** Called when the page of that job asks for what it waits for. */
  readonly onCrash: (word: string) => Promise<void>;
  /** The script by which the renderer of that job's page is known. */
  readonly markerOf: (word: string) => string;
  /** A job with this word runs, until the callback it gives back is called. */
  readonly fly: (word: string) => () => void;
  readonly killed: () => number;
  readonly skipped: () => number;
}

/** Of the job limit; a page waits for half of it. */
const shareToWait = 0.4;

/** @param jobTimeout the job limit in seconds */
export function openCrashes(group: Group, jobTimeout: number): Crashes {
  const patience = jobTimeout * 1000 * shareToWait;
  const flying = new Set<string>();
  const hit = new Set<string>();
  const waiting = new Map<string, { readonly every: boolean }>();
  const count = { killed: 0, skipped: 0 };
  const kill = (pids: readonly number[], words: Iterable<string>) => {
    for (const pid of pids) end(pid);
    for (const word of words) hit.add(word);
    count.killed += 1;
  };
  const tryOne = (word: string) => {
    const marked = group.renderers().filter(runsWorker);
    if (marked.length === 1) kill(marked, [word]);
    return marked.length === 1;
  };
  const tryEvery = () => {
    const spared = [...flying].some((word) => hit.has(word));
    if (!spared) kill(group.renderers(), flying);
    return !spared;
  };
  return {
    asked(making, every) {
      waiting.set(making.word, { every });
      return every ? still(making) : marked(making);
    },
    async onCrash(word) {
      const wanted = waiting.get(word);
      waiting.delete(word);
      // The second time, or it has lost its renderer to another's crash.
      if (wanted === undefined || hit.has(word)) return;
      const attempt = () => !flying.has(word) || (wanted.every ? tryEvery() : tryOne(word));
      if (!(await within(patience, attempt))) count.skipped += 1;
    },
    markerOf: (word) => (waiting.has(word) ? marker : ''),
    fly(word) {
      flying.add(word);
      return () => {
        flying.delete(word);
        hit.delete(word);
        waiting.delete(word);
      };
    },
    killed: () => count.killed,
    skipped: () => count.skipped,
  };
}

const still = (making: Making) => waitingPage(making, '');

/** Its renderer has a thread that no other has, which the system tells the name of; the page's second load has none. */
const marked = (making: Making) =>
  waitingPage(making, `<script src="${making.web}/marker/${making.word}"></script>`);

const marker = `new Worker(URL.createObjectURL(new Blob(['setInterval(() => {}, 1000)'])))`;

function waitingPage({ word, web }: Making, script: string): Asked {
  const text = `<h1>${word}</h1>${script}<img src="${web}/crash/${word}">`;
  return { fields: { text }, expected: [{ kind: 'pdf', pages: 1 }] };
}

async function within(milliseconds: number, attempt: () => boolean): Promise<boolean> {
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
    // It has ended by itself.
  }
}
