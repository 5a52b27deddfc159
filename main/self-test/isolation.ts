/**
 * The check that a job cannot see data that an earlier job stored in the same window. Both jobs load a page of a site that does not
 * exist. A protocol handler of the window's session serves the page. The page therefore has a secure origin, with caches and
 * service workers, but needs no network.
 */
import { callInPage } from '../engine/devtools/evaluate.ts';
import { loadPage } from '../engine/loading/load-page.ts';
import type { BrowserContext } from '../engine/window/browser-context.ts';
import { withInternalWindow } from '../converter/internal-job.ts';
import { internalJob, type Check, type CheckContext } from './check.ts';
import { listed } from './fonts.ts';

/** A reserved name (RFC 6761, 6.4). */
const site = 'https://self-test.invalid/';

/** Maximum number of visits to get the same window a second time. Other jobs may be using that window. */
const maxAttempts = 20;

export const isolation: Check = {
  name: 'isolation',
  advice:
    'Do not convert confidential documents and untrusted pages with this service until this version or a newer one is reinstalled and passes.',
  async run(checkContext) {
    const planted = await visit(checkContext, plant);
    if (planted.found.length < 3)
      throw new Error(`the test page could store data only as ${listed(planted.found) || 'nothing'}`);
    for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
      const { context, found } = await visit(checkContext, findLeftovers);
      if (found.length > 0) throw new Error(`a page found data of an earlier job: ${listed(found)}`);
      if (context === planted.context)
        return `A page stored data in a window (${listed(planted.found)}), and the next job in that window found nothing.`;
    }
    return {
      warning: `A page stored data in a window, but other jobs used that window; ${maxAttempts} test jobs in other windows found nothing. Run the self-test again under less load.`,
    };
  },
};

/** Loads the page and runs `work` in it. Returns the kinds of storage in which `work` found or stored data. */
async function visit(
  checkContext: CheckContext,
  work: () => Promise<string[]>,
): Promise<{ readonly context: BrowserContext; readonly found: readonly string[] }> {
  const source = { kind: 'remote', url: new URL(site), scripts: true, headerFooter: {} } as const;
  return withInternalWindow({ ...internalJob(checkContext), source }, checkContext, async (window, run) => {
    const { context, contents } = window;
    const { protocol } = context.session;
    protocol.handle('https', ({ url }) => respond(url));
    try {
      await loadPage(window, source, run);
      return { context, found: await callInPage(contents, work) };
    } finally {
      protocol.unhandle('https');
    }
  });
}

function respond(url: string): Response {
  const type = url.endsWith('.js') ? 'text/javascript' : 'text/html';
  const body = url.endsWith('.js') ? '' : '<!DOCTYPE html><title>Self-test</title><p>Isolation';
  return new Response(body, { headers: { 'content-type': type, 'cache-control': 'no-store' } });
}

/** Runs in the page: stores data in every kind of storage. Returns the kinds in which that succeeded. */
async function plant(): Promise<string[]> {
  const stored: string[] = [];
  const store = async (kind: string, write: () => unknown) => {
    try {
      if ((await write()) !== false) stored.push(kind);
    } catch {
      // This version of Chromium does not have this kind of storage.
    }
  };
  await store('a cookie', () => {
    document.cookie = 'mark=planted; Max-Age=3600';
    return document.cookie.includes('planted');
  });
  await store('local storage', () => {
    localStorage.setItem('mark', 'planted');
  });
  await store('session storage', () => {
    sessionStorage.setItem('mark', 'planted');
  });
  await store(
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
  await store('a cache', async () => {
    await (await caches.open('planted')).put('/mark', new Response('planted'));
  });
  await store('a service worker', () => navigator.serviceWorker.register('/worker.js'));
  await store('a window name', () => {
    window.name = 'planted';
  });
  return stored;
}

/** Runs in the page: returns the kinds of storage that contain data. */
async function findLeftovers(): Promise<string[]> {
  const workers = await navigator.serviceWorker.getRegistrations().catch(() => []);
  return [
    ...(document.cookie === '' ? [] : ['a cookie']),
    ...(localStorage.length === 0 ? [] : ['local storage']),
    ...(sessionStorage.length === 0 ? [] : ['session storage']),
    ...((await indexedDB.databases()).length === 0 ? [] : ['a database']),
    ...((await caches.keys()).length === 0 ? [] : ['a cache']),
    ...(workers.length === 0 ? [] : ['a service worker']),
    ...(window.name === '' ? [] : ['a window name']),
  ];
}
