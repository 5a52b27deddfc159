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
    ipcRenderer.send(replyChannel, { value: await methods[method](...parameters) } satisfies PageReply);
  } catch (error) {
    ipcRenderer.send(replyChannel, { error } satisfies PageReply);
  }
}
