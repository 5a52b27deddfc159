/**
 * Prepares every frame before the page's scripts run, in an isolated world that the page cannot see. Windows are
 * reused, and Electron cannot clear everything that jobs leave: this clears an origin's storage at its first visit
 * in a job, and `window.name` at the job's first page. It also inserts the user style sheet; inserted later, it
 * would cause a second layout.
 */
import { ipcRenderer, webFrame } from 'electron';
import { visitChannel, type VisitReply } from './visit-channel.ts';

// self.origin, not the origin of the address: a srcdoc frame shares the storage of the page that embeds it.
const { isFirst, sheet, program } = ipcRenderer.sendSync(visitChannel, self.origin) as VisitReply;
const isMainFrame = window === window.top;
// Headers and footers (see shown-address.ts) have no markup conventions and do not settle.
const isHeaderFooter = location.pathname.includes('/platen-header-footer-');
if (isMainFrame && !isHeaderFooter) webFrame.insertCSS(sheet, { cssOrigin: 'user' });
// Runs synchronously, before the page's own scripts.
if (program !== undefined && !isHeaderFooter) void webFrame.executeJavaScript(program);
if (isFirst) {
  if (isMainFrame) window.name = '';
  try {
    window.sessionStorage.clear();
    // Local storage is cleared between jobs, but the renderer may cache it.
    window.localStorage.clear();
  } catch {
    // A sandboxed frame has no storage to clear.
  }
}
