/**
 * The check that a job cannot see what an earlier job left in its window. Both jobs load a page of a site that does not exist. The
 * window's session answers its address, so the page has a secure origin with caches and service workers on any network.
 */
import { inPage } from '../engine/devtools/evaluate.ts';
import { loadPage } from '../engine/loading/load-page.ts';
import type { BrowserContext } from '../engine/window/browser-context.ts';
import { withInternalWindow } from '../converter/internal-job.ts';
import { internalJob, type Check, type CheckContext } from './check.ts';
import { listed } from './fonts.ts';

/** A reserved name (RFC 6761, 6.4). */
const site = 'https://self-test.invalid/';

/** Attempts to get the same window again, because other jobs may use it. */
const maxAttempts = 20;

export const isolation: Check = {
  name: 'isolation',
  advice:
    'Convert nothing confidential beside pages you do not trust until this version or a newer one is reinstalled and passes.',
  async run(checkContext) {
    const planted = await visit(checkContext, plant);
    if (planted.found.length < 3)
      throw new Error(`a page could leave no more than ${listed(planted.found)} behind`);
    for (let n = 0; n < maxAttempts; n += 1) {
      const { context, found } = await visit(checkContext, look);
      if (found.length > 0) throw new Error(`a page found what another job had left: ${listed(found)}`);
      if (context === planted.context)
        return `Of what a page left in a window (${listed(planted.found)}) the next job found nothing.`;
    }
    return {
      warning: `Other jobs took the window in which a page had left something; ${maxAttempts} jobs in other windows found nothing. Try again when less is to do.`,
    };
  },
};

interface Visit {
  readonly context: BrowserContext;
  /** Names of the stored items that the visit found or left. */
  readonly found: readonly string[];
}

async function visit(checkContext: CheckContext, work: () => Promise<string[]>): Promise<Visit> {
  const source = { kind: 'remote', url: new URL(site), scripts: true, strips: {} } as const;
  return withInternalWindow({ ...internalJob(checkContext), source }, checkContext, async (window, run) => {
    const { context, contents } = window;
    const { protocol } = context.session;
    protocol.handle('https', ({ url }) => answer(url));
    try {
      await loadPage(window, source, run);
      return { context, found: await inPage(contents, work) };
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

/** Runs in the page: stores something in every kind of storage. */
async function plant(): Promise<string[]> {
  const left: string[] = [];
  const leave = async (what: string, work: () => unknown) => {
    try {
      if ((await work()) !== false) left.push(what);
    } catch {
      // This Chromium does not have this kind of storage.
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

/** Runs in the page: returns the kinds of storage that contain something. */
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
