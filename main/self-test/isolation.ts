/**
 * Whether what one job leaves in a window is gone for the next. Both see a page of a site that is nowhere: its address is answered
 * here, in the window's own session, so that it is a secure origin, which has caches and service workers, on any network.
 */
import { inPage } from '../engine/in-page.ts';
import { loadPage } from '../engine/load-page.ts';
import type { Seat } from '../engine/seat.ts';
import { lendOwn } from '../own-job.ts';
import { ownJob, type Check, type Trial } from './check.ts';
import { listed } from './fonts.ts';

/** RFC 6761, 6.4: a name nobody has. */
const site = 'https://self-test.invalid/';

/** Times a window is asked for, until it is the one that was planted in: other jobs may have it. */
const tries = 20;

export const isolation: Check = {
  name: 'isolation',
  advice:
    'Convert nothing confidential beside pages you do not trust until this version, or a newer one, is installed anew and passes.',
  async run(trial) {
    const planted = await visit(trial, plant);
    if (planted.found.length < 3)
      throw new Error(`a page could leave no more than ${listed(planted.found)} behind`);
    for (let n = 0; n < tries; n += 1) {
      const { seat, found } = await visit(trial, look);
      if (found.length > 0) throw new Error(`a page found what another job had left: ${listed(found)}`);
      if (seat === planted.seat)
        return `Of what a page left in a window (${listed(planted.found)}) the next job found nothing.`;
    }
    return {
      warning: `Other jobs took the window in which a page had left something; ${tries} jobs in other windows found nothing. Try again when less is to do.`,
    };
  },
};

interface Visit {
  readonly seat: Seat;
  /** What is there when the visit ends, in words. */
  readonly found: readonly string[];
}

async function visit(trial: Trial, work: () => Promise<string[]>): Promise<Visit> {
  const source = { kind: 'remote', url: new URL(site), scripts: true, strips: {} } as const;
  return lendOwn({ ...ownJob(trial), source }, trial, async (window, run) => {
    const { seat, contents } = window;
    const { protocol } = seat.session;
    protocol.handle('https', ({ url }) => answer(url));
    try {
      await loadPage(window, source, run);
      return { seat, found: await inPage(contents, work) };
    } finally {
      protocol.unhandle('https');
    }
  });
}

function answer(url: string): Response {
  const type = url.endsWith('.js') ? 'text/javascript' : 'text/html';
  const body = url.endsWith('.js') ? '' : '<!DOCTYPE html><title>Self-test</title><p>Isolation';
  return new Response(body, { headers: { 'content-type': type, 'cache-control': 'no-store' } });
}

/** Runs in the page: leaves something in every place that pages have. */
async function plant(): Promise<string[]> {
  const left: string[] = [];
  const leave = async (what: string, work: () => unknown) => {
    try {
      if ((await work()) !== false) left.push(what);
    } catch {
      // A place that this Chromium does not have.
    }
  };
  await leave('a cookie', () => {
    document.cookie = 'mark=planted; Max-Age=3600';
    return document.cookie.includes('planted');
  });
  await leave('local storage', () => {
    localStorage.setItem('mark', 'planted');
  });
  await leave('session storage', () => {
    sessionStorage.setItem('mark', 'planted');
  });
  await leave(
    'a database',
    () =>
      new Promise<void>((resolve, reject) => {
        const opening = indexedDB.open('planted');
        opening.onerror = reject;
        opening.onsuccess = () => {
          opening.result.close();
          resolve();
        };
      }),
  );
  await leave('a cache', async () => {
    await (await caches.open('planted')).put('/mark', new Response('planted'));
  });
  await leave('a service worker', () => navigator.serviceWorker.register('/worker.js'));
  await leave('a name of the window', () => {
    window.name = 'planted';
  });
  return left;
}

/** Runs in the page: what is there that it has not left itself. */
async function look(): Promise<string[]> {
  const workers = await navigator.serviceWorker.getRegistrations().catch(() => []);
  return [
    ...(document.cookie === '' ? [] : ['a cookie']),
    ...(localStorage.length === 0 ? [] : ['local storage']),
    ...(sessionStorage.length === 0 ? [] : ['session storage']),
    ...((await indexedDB.databases()).length === 0 ? [] : ['a database']),
    ...((await caches.keys()).length === 0 ? [] : ['a cache']),
    ...(workers.length === 0 ? [] : ['a service worker']),
    ...(window.name === '' ? [] : ['a name of the window']),
  ];
}
