/**
 * Runs in every frame before the page's own scripts, in a world of its own. A window is re-used for many jobs, and Electron
 * has no call for some of what they leave: each origin's storage is cleared at its first visit in a job, and at the
 * job's first page also `window.name`. The sheet that pages have is put in here: later all of the page would be laid out
 * anew. The page sees nothing of it.
 */
import { ipcRenderer, webFrame } from 'electron';
import { arrivalChannel, type Arrival } from './visit-channel.ts';

// Not that of its address: a frame whose page is an attribute has the storage of the page around it.
const { isFirst, sheet } = ipcRenderer.sendSync(arrivalChannel, self.origin) as Arrival;
const isPage = window === window.top;
// Headers and footers (shown-address.ts, stripName) have no such conventions.
if (isPage && !location.pathname.includes('/platen-strip-')) webFrame.insertCSS(sheet, { cssOrigin: 'user' });
if (isFirst) {
  if (isPage) window.name = '';
  try {
    window.sessionStorage.clear();
    // It is wiped between jobs, but the renderer may remember it.
    window.localStorage.clear();
  } catch {
    // A sandboxed frame has no storage to clear.
  }
}
