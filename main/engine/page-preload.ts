/**
 * Runs in every frame before the page's own scripts, in a world of its own. A window is re-used for many jobs, and Electron
 * has no call for some of what they leave: each origin's session storage is cleared at its first visit in a job, and at the
 * job's first page also `window.name` and Blink's own cache in memory. The page sees nothing of it.
 */
import { ipcRenderer, webFrame } from 'electron';
import { firstVisitChannel } from './visit-channel.ts';

if (ipcRenderer.sendSync(firstVisitChannel, location.origin) === true) {
  if (window === window.top) {
    window.name = '';
    webFrame.clearCache();
  }
  try {
    window.sessionStorage.clear();
  } catch {
    // A sandboxed frame has no storage to clear.
  }
}
