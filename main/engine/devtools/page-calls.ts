/**
 * Calls methods of Electron's `webFrame` in a page, through page-preload.ts. Electron's own methods, such as `executeJavaScript`,
 * keep a listener until the page replies (lib/browser/ipc-main-internal-utils.ts). A page that navigates or loses its renderer
 * never replies, so the listener would keep the job and all data sent to the page in memory. Here, all listeners of a window can
 * be removed. Pages cannot reach the channel: preload scripts run in an isolated world.
 */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { WebContents } from 'electron';
import { Failure } from '../../failure/failure.ts';
import {
  callChannel,
  type PageCall,
  type PageMethod,
  type PageReply,
} from '../page-scripts/preload-channels.ts';

const replyPrefix = 'reply-';

/** The part of a WebContents that calls need. */
export type CallableContents = Pick<WebContents, 'ipc' | 'send' | 'getURL' | 'isLoadingMainFrame'> &
  NodeJS.EventEmitter;

/**
 * Runs code in the page's main world after the page has loaded, and returns its value. Never settles if the page navigates
 * meanwhile.
 * @throws what the code throws
 */
export async function executeJavaScript(contents: CallableContents, code: string): Promise<unknown> {
  await waitUntilLoaded(contents);
  return call(contents, 'executeJavaScript', code);
}

/** Like executeJavaScript, but in an isolated world, which the page's scripts cannot reach. */
export async function executeJavaScriptInIsolatedWorld(
  contents: CallableContents,
  worldId: number,
  code: string,
): Promise<unknown> {
  await waitUntilLoaded(contents);
  return call(contents, 'executeJavaScriptInIsolatedWorld', worldId, [{ code }]);
}

/** Inserts a style sheet into the current page and returns its key. `user`: as a user style sheet. */
export async function insertCss(
  contents: CallableContents,
  css: string,
  origin: 'author' | 'user' = 'author',
): Promise<string> {
  return String(await call(contents, 'insertCSS', css, { cssOrigin: origin }));
}

export async function removeInsertedCss(contents: CallableContents, key: string): Promise<void> {
  await call(contents, 'removeInsertedCSS', key);
}

/** Drops all calls made so far that have no reply yet; they never settle. Call this after the job. */
export function dropPendingCalls({ ipc }: Pick<WebContents, 'ipc'>): void {
  for (const channel of ipc.eventNames())
    if (String(channel).startsWith(replyPrefix)) ipc.removeAllListeners(String(channel));
}

/** Code that is sent to a page that is still loading might run in the previous page. */
async function waitUntilLoaded(contents: CallableContents): Promise<void> {
  if (contents.getURL() !== '' && !contents.isLoadingMainFrame()) return;
  await once(contents, 'did-stop-loading');
}

async function call(
  contents: CallableContents,
  method: PageMethod,
  ...parameters: readonly unknown[]
): Promise<unknown> {
  const replyChannel = `${replyPrefix}${randomUUID()}`;
  contents.send(callChannel, { replyChannel, method, parameters } satisfies PageCall);
  const reply = await replyOn(replyChannel, contents);
  if (reply === 'too large')
    throw new Failure(
      'tooComplex',
      'The elements and texts of the page are too many or too long to be read.',
    );
  if ('error' in reply) throw reply.error;
  return reply.value;
}

/** This function has no access to the parameters of the call, so a listener does not keep them in memory. */
function replyOn(channel: string, { ipc }: Pick<WebContents, 'ipc'>): Promise<PageReply> {
  return new Promise((resolve) => {
    ipc.once(channel, (_event, reply: PageReply) => {
      resolve(reply);
    });
  });
}
