/**
 * The preload script of every frame. Runs before the page's scripts, in an isolated world that the page cannot access. Windows are
 * reused, and Electron cannot clear everything that a job leaves behind. So when a job first visits an origin, this script clears
 * the storage of the origin and, in the main frame, `window.name`. It also inserts the user style sheet, which would cause a second
 * layout if it were inserted later. Afterwards it runs the calls of devtools/page-calls.ts in the main frame.
 */
import { ipcRenderer, webFrame } from 'electron';
import {
  callChannel,
  visitChannel,
  type PageCall,
  type PageMethod,
  type PageReply,
  type VisitReply,
} from './preload-channels.ts';

// Uses self.origin, not location.origin, because a srcdoc frame shares the storage of the page that embeds it.
const { isFirst, styleSheet, script } = ipcRenderer.sendSync(visitChannel, self.origin) as VisitReply;
const isMainFrame = window === window.top;
// Header and footer documents (named in shown-address.ts) get neither the convention style sheet nor the settling script.
const isHeaderFooter = location.pathname.includes('/platen-header-footer-');
if (isMainFrame && !isHeaderFooter) webFrame.insertCSS(styleSheet, { cssOrigin: 'user' });
// Runs synchronously, before the page's own scripts.
if (script !== undefined && !isHeaderFooter) void webFrame.executeJavaScript(script);
if (isFirst) {
  if (isMainFrame) window.name = '';
  try {
    window.sessionStorage.clear();
    // The service clears local storage between jobs, but the renderer may still cache the old values.
    window.localStorage.clear();
  } catch {
    // A sandboxed frame has no storage to clear.
  }
}
if (isMainFrame)
  ipcRenderer.on(callChannel, (_event, pageCall: PageCall) => {
    void replyTo(pageCall);
  });

async function replyTo({ replyChannel, method, parameters }: PageCall): Promise<void> {
  const methods = webFrame as Record<PageMethod, (...values: readonly unknown[]) => unknown>;
  try {
    const value = await methods[method](...parameters);
    // The page decides what is in its answer. The service would need seconds to read a large one.
    const reply: PageReply = sizeOf(value) > maxReplySizes[method] ? 'too large' : { value };
    ipcRenderer.send(replyChannel, reply);
  } catch (error) {
    ipcRenderer.send(replyChannel, { error: shortError(error) } satisfies PageReply);
  }
}

/** In the isolated world: enough for the references of `findPageReferences`. */
const maxReplySizes: Readonly<Record<PageMethod, number>> = {
  executeJavaScript: 200_000,
  executeJavaScriptInIsolatedWorld: 4_000_000,
  insertCSS: 1000,
  removeInsertedCSS: 1000,
};
const maxErrorLength = 1000;

/** Returns an error with the beginning of the message. The page may throw anything. */
function shortError(error: unknown): Error {
  const message = typeof error === 'object' && error !== null && 'message' in error ? error.message : error;
  return new Error(typeof message === 'string' ? message.slice(0, maxErrorLength) : 'unknown error');
}

/**
 * Returns the approximate size of a value: the characters of its strings, and ten for each member. Stops above the largest limit. No
 * function of the service returns a Map, an Error or the like, whose size cannot be seen.
 */
function sizeOf(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (typeof value === 'bigint') return Infinity;
  if (typeof value !== 'object' || value === null) return 1;
  const prototype: unknown = Object.getPrototypeOf(value);
  if (!Array.isArray(value) && prototype !== Object.prototype && prototype !== null) return Infinity;
  let size = 10;
  for (const [key, member] of Object.entries(value)) {
    size += 10 + key.length + sizeOf(member);
    if (size > maxReplySizes.executeJavaScriptInIsolatedWorld) break;
  }
  return size;
}
